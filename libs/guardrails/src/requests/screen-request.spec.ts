import { compile } from '../__fixtures__/rules';
import { createMaskBook } from '../rules/mask-book';
import { createScreen, createSightings, type Sightings } from '../screen/screen';
import type { GuardrailRule } from '../rules/guardrail-rule';
import { listTexts, screenRequest } from './screen-request';

function screen(text: string, rule: Partial<GuardrailRule> = { detectors: ['email'] }): { text: string; sightings: Sightings } {
  const sightings = createSightings();
  const book = createMaskBook([text]);
  const json = JSON.parse(text) as Record<string, unknown>;
  return { text: screenRequest({ text, json }, createScreen({ rules: compile(rule).input, stage: 'input', book, sightings })), sightings };
}

describe('screenRequest', () => {
  it('masks in place: the same value gets the same placeholder, every other byte stays', () => {
    const text =
      '{ "model":"a@b.co", "temperature":1.0, "x":"c@d.co",\n "messages":[{"role":"user","content":"a@b.co \\u00e9 c@d.co"},{"content":"a@b.co"}]}';
    expect(screen(text).text).toBe(
      '{ "model":"a@b.co", "temperature":1.0, "x":"[EMAIL_1]",\n "messages":[{"role":"user","content":"[EMAIL_2] é [EMAIL_1]"},{"content":"[EMAIL_2]"}]}',
    );
  });

  it.each([
    [
      'chat completions',
      {
        messages: [
          { role: 'tool', tool_call_id: 'a@b.co', content: 'a@b.co' },
          { role: 'user', content: [{ type: 'text', text: 'a@b.co' }] },
        ],
      },
      2,
    ],
    [
      'arguments of a call',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'x', function: { name: 'f', arguments: '{"id":"a@b.co"}' } }] }] },
      1,
    ],
    [
      'a file name',
      { messages: [{ role: 'user', content: [{ type: 'file', file: { filename: 'a@b.co.pdf', file_data: 'data:a@b.co' } }] }] },
      1,
    ],
    [
      'messages',
      {
        system: [{ type: 'text', text: 'a@b.co' }],
        messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'i', name: 'n', input: { data: ['a@b.co'], type: 'a@b.co' } }] }],
      },
      3,
    ],
    [
      'a document as text',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'document', title: 'a@b.co', source: { type: 'text', media_type: 'text/plain', data: 'a@b.co' } }],
          },
        ],
      },
      2,
    ],
    [
      'responses',
      {
        instructions: 'a@b.co',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'a@b.co' }] },
          { type: 'function_call_output', call_id: 'a@b.co', output: 'a@b.co' },
        ],
      },
      3,
    ],
    ['responses, as text', { input: 'a@b.co' }, 1],
    ['embeddings', { input: ['a@b.co', 'b@b.co'] }, 2],
    ['descriptions of tools as they were called before', { functions: [{ name: 'a@b.co', description: 'a@b.co' }] }, 1],
    [
      'descriptions of tools',
      { tools: [{ function: { name: 'f', description: 'a@b.co', parameters: { properties: { x: { enum: ['a@b.co'] } } } } }] },
      2,
    ],
  ])('looks at %s', (_, body, count) => {
    const { text, sightings } = screen(JSON.stringify(body));
    expect(text.match(/\[EMAIL_\d\]/g)).toHaveLength(count);
    expect(JSON.parse(text)).toBeInstanceOf(Object);
    expect(sightings).toMatchObject({ isScanned: true, isMasked: true });
  });

  it('keeps arguments and results of tools JSON', () => {
    const inner = JSON.stringify({ card: 4111111111111111, to: 'line\na@b.co "quoted"' });
    const body = { messages: [{ tool_calls: [{ function: { arguments: inner } }] }, { role: 'tool', content: inner }] };
    const { text } = screen(JSON.stringify(body), { detectors: ['email', 'card'] });
    const reported = JSON.parse(text) as typeof body;
    const expected = { card: '[CARD_1]', to: 'line\n[EMAIL_1] "quoted"' };
    expect(JSON.parse(reported.messages[0]?.tool_calls?.[0]?.function.arguments ?? '')).toEqual(expected);
    expect(JSON.parse(reported.messages[1]?.content ?? '')).toEqual(expected);
  });

  it('does not take a placeholder that the caller wrote', () => {
    expect(screen('{"input":"What is [EMAIL_1]? a@b.co"}').text).toBe('{"input":"What is [EMAIL_1]? [EMAIL_2]"}');
  });

  it('scans nothing of a request that holds only media', () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(9)}=`, detail: 'low' } };
    const { sightings } = screen(JSON.stringify({ messages: [{ role: 'user', content: [image] }] }));
    expect(sightings.isScanned).toBe(false);
  });

  it('blocks and flags by name, never by text', () => {
    const { sightings, text } = screen('{"input":"a@b.co"}', { action: 'block', detectors: ['email'], name: 'no mail' });
    expect(sightings).toMatchObject({ stop: { detector: 'email', rule: { name: 'no mail' } }, isFlagged: true, isMasked: false });
    expect(text).toContain('a@b.co');
    expect(screen('{"input":"a@b.co"}', { action: 'flag' }).sightings).toMatchObject({ stop: undefined, isFlagged: true });
  });

  it('lists what a request says for others to look at', () => {
    const text = '{"instructions":"one","input":[{"role":"user","content":"two"}]}';
    expect(listTexts({ text, json: JSON.parse(text) as Record<string, unknown> })).toEqual(['one', 'two']);
  });
});
