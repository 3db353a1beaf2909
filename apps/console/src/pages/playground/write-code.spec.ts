import { writeCode } from './write-code';

const BODY = {
  model: 'a/b',
  messages: [{ role: 'user', content: 'it\'s "so"' }],
  tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: {} } }],
  top_k: 3,
  seed: null,
};
const CHAT = { path: 'chat/completions', body: BODY, origin: 'https://weir.example/' };

describe('a request as code', () => {
  it('is a line for a shell, with a quote in the prompt', () => {
    const text = writeCode('curl', CHAT);
    expect(text).toContain('https://weir.example/v1/chat/completions');
    expect(text).toContain(`it'\\''s \\"so\\"`);
    expect(text).toContain('YOUR_WEIR_KEY');
  });

  it('is Python, with what its client does not know in its own place', () => {
    const text = writeCode('openai-python', CHAT);
    expect(text).toContain('"strict": True,');
    expect(text).toContain('seed=None,');
    expect(text).toContain('"parameters": {},');
    expect(text).toMatch(/extra_body=\{\s+"top_k": 3,\s+\}/);
  });

  it('is TypeScript, and the body itself', () => {
    expect(writeCode('openai', CHAT)).toContain('await client.chat.completions.create({');
    expect(JSON.parse(writeCode('body', CHAT))).toEqual(BODY);
  });

  it('writes what is nothing for a terminal to files', () => {
    const speech = {
      path: 'audio/speech',
      body: { model: 'a/b', input: 'x', voice: 'y', response_format: 'wav' },
      origin: 'https://weir.example',
    };
    expect(writeCode('curl', speech)).toContain('--output speech.wav');
    expect(writeCode('openai', speech)).toContain("writeFile('speech.wav'");
    expect(writeCode('openai-python', { ...speech, path: 'images/generations' })).toContain('import base64');
  });
});
