import type { ImageLane, SpeechLane } from '@weir/providers';
import { createSandboxProvider, type Provider, type TranscriptionLane } from '@weir/providers';
import type { PassportGuardrail } from '@weir/contracts';
import { plantSecrets } from '@weir/testing';
import { startMediaHarness, type HarnessOptions, type MediaHarness } from './__fixtures__/media-harness';

const MAIL = 'jane.doe@example.com';
const SAID = `Write to ${MAIL} or pay with 4111 1111 1111 1111 as soon as you can please`;
const HIDDEN = 'Write to [EMAIL_1] or pay with [CARD_1] as soon as you can please';
const FORMATS = ['json', 'text', 'verbose_json', 'diarized_json', 'srt', 'vtt'] as const;

let harness: MediaHarness;
/** What the provider was asked, as the neutral language has it. */
let sent: string[] = [];
afterEach(() => harness.stop());

let version = 0;
function makeGuardrail(rule: Partial<PassportGuardrail>): PassportGuardrail {
  version += 1;
  return { id: 'g', version, name: 'no mail', detectors: ['email', 'card'], action: 'mask', stage: 'both', onError: 'closed', ...rule };
}

const open = async (rule: Partial<PassportGuardrail> | null, options: HarnessOptions = {}): Promise<void> => {
  const own = createSandboxProvider();
  sent = [];
  const note = <Lane extends { encodeRequest: (...given: never[]) => unknown }>(lane: Lane): Lane => ({
    ...lane,
    encodeRequest: (...given: Parameters<Lane['encodeRequest']>) => {
      sent.push(JSON.stringify(given[0]));
      return lane.encodeRequest(...given);
    },
  });
  const lanes = {
    images: note(own.images as ImageLane),
    speech: note(own.speech as SpeechLane),
    transcription: note(own.transcription as TranscriptionLane),
  };
  const passport = rule === null ? {} : { guardrails: [makeGuardrail(rule)], needs: ['guardrails'] };
  harness = await startMediaHarness({ provider: { ...own, ...lanes } as Provider, ...options, passport });
};

const postJson = (path: string, body: object): Promise<Response> =>
  fetch(`${harness.url}${path}`, { method: 'POST', body: JSON.stringify(body) });

/** A recording of the sandbox, which knows what was said in it. */
async function record(): Promise<File> {
  await open(null);
  const reply = await postJson('/v1/audio/speech?model=sandbox/speech', {
    model: 'sandbox/speech',
    input: SAID,
    voice: 'alloy',
    response_format: 'wav',
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  await harness.stop();
  return new File([bytes], `${MAIL} calls.wav`);
}

async function transcribe(
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: 'sandbox/transcription', ...fields })) form.append(name, value);
  form.append('file', file);
  const reply = await fetch(`${harness.url}/v1/audio/transcriptions?model=sandbox/transcription`, { method: 'POST', body: form });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

const ASKS: readonly (readonly [string, string, object])[] = [
  ['pictures', '/v1/images/generations?model=sandbox/image', { model: 'sandbox/image', prompt: `Draw ${MAIL}`, size: '64x64' }],
  [
    'streamed pictures',
    '/v1/images/generations?model=sandbox/image-tokens',
    { model: 'sandbox/image-tokens', prompt: `Draw ${MAIL}`, size: '64x64', stream: true },
  ],
  [
    'speech',
    '/v1/audio/speech?model=sandbox/speech',
    { model: 'sandbox/speech', input: `Say ${MAIL}`, voice: 'alloy', instructions: `like ${MAIL}` },
  ],
];

describe('guardrails over what goes in', () => {
  it.each(ASKS)('%s: what is masked is not sent, and a header has the verdict', async (_what, path, body) => {
    await open({ stage: 'input' });
    const reply = await postJson(path, body);
    expect([reply.status, reply.headers.get('x-weir-guardrail')]).toEqual([200, 'masked']);
    await reply.arrayBuffer();
    expect(sent.join()).toContain('[EMAIL_1]');
    expect(sent.join()).not.toContain('jane');
    expect(harness.events).toMatchObject([{ guardrail: 'masked', status: 'ok' }]);
    expect(BigInt(harness.events[0]?.cost_p ?? 0)).toBeGreaterThan(0n);
  });

  it.each(ASKS)('%s: blocked, no one is called and nothing is charged; flagged, it passes', async (_what, path, body) => {
    await open({ stage: 'input', action: 'block' });
    const reply = await postJson(path, body);
    const reported = await reply.text();
    expect([reply.status, (JSON.parse(reported) as { code: string }).code, sent]).toEqual([403, 'guardrail_blocked', []]);
    expect(reported).not.toContain('jane');
    expect(harness.events).toMatchObject([{ guardrail: 'flagged', cost_p: '0', logical: true, error_origin: 'router' }]);
    await harness.stop();
    await open({ action: 'flag' });
    const passed = await postJson(path, body);
    expect([passed.status, passed.headers.get('x-weir-guardrail')]).toEqual([200, 'flagged']);
    await passed.arrayBuffer();
    expect(sent.join()).toContain(MAIL);
  });

  it('edits: the words of a form and the names of its files', async () => {
    await open({ stage: 'input' });
    const drawn = (await (
      await postJson('/v1/images/generations?model=sandbox/image', { model: 'sandbox/image', prompt: 'x', size: '64x64' })
    ).json()) as {
      data: { b64_json: string }[];
    };
    sent = [];
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: 'sandbox/image', prompt: `Add ${MAIL}` })) form.append(name, value);
    form.append('image', new File([Buffer.from(drawn.data[0]?.b64_json ?? '', 'base64')], `${MAIL} there.png`, { type: 'image/png' }));
    const reply = await fetch(`${harness.url}/v1/images/edits?model=sandbox/image`, { method: 'POST', body: form });
    expect([reply.status, reply.headers.get('x-weir-guardrail')]).toEqual([200, 'masked']);
    expect(JSON.parse(sent[0] ?? '')).toMatchObject({ prompt: 'Add [EMAIL_1]', images: [{ name: '[EMAIL_1] there.png' }] });
  });

  it('a recording: its prompt and its name, which a reply may repeat', async () => {
    const file = await record();
    await open({ stage: 'input' });
    const { status, text } = await transcribe(file, { prompt: `About ${MAIL}` });
    expect([status, JSON.parse(sent[0] ?? '')]).toMatchObject([200, { prompt: 'About [EMAIL_1]', file: { name: '[EMAIL_1] calls.wav' } }]);
    expect(JSON.parse(text)).toMatchObject({ text: SAID });
    expect(harness.events).toMatchObject([{ guardrail: 'masked' }]);
  });
});

const SENT: readonly (readonly [string, string, Record<string, unknown>])[] = [
  [
    'pictures',
    '/v1/images/generations?model=sandbox/image',
    {
      ...{ model: 'sandbox/image', prompt: 'a', size: '64x64', user: 'u', quality: 'low', background: 'opaque', output_format: 'png' },
      ...{ negative_prompt: 'n', x_vendor: { list: [{ deep: 'd' }] } },
    },
  ],
  [
    'speech',
    '/v1/audio/speech?model=sandbox/speech',
    { model: 'sandbox/speech', input: 'a', voice: 'alloy', instructions: 'i', response_format: 'mp3', x_vendor: { list: [{ deep: 'd' }] } },
  ],
];

describe('a secret anywhere in a request', () => {
  it.each(SENT)('%s: reaches no provider, whether a guardrail blocks or masks', async (_what, path, body) => {
    // In place of the model its provider gets its own name for it.
    const planted = plantSecrets(body, MAIL).filter(({ path: place, kind }) => place !== '.model' || kind === 'name');
    for (const action of ['block', 'mask'] as const) {
      await open({ stage: 'input', action });
      const passed: string[] = [];
      for (const { path: place, kind, body: spoilt } of planted) {
        sent = [];
        const reply = await postJson(path, spoilt);
        await reply.arrayBuffer();
        const isHeld = action === 'block' ? sent.length === 0 : !sent.join().includes('jane');
        if (!isHeld || reply.status >= 500) passed.push(`${kind} ${place}`);
      }
      expect(passed).toEqual([]);
      await harness.stop();
    }
    await open({ stage: 'input', action: 'block' });
    expect((await postJson(path, body)).status).toBe(200);
  });

  it.each(['prompt', 'known_speaker_names[]', 'x_vendor', MAIL, 'chunking_strategy'])('a form: in the field %s', async (field) => {
    const file = await record();
    const plain = new File([new Uint8Array(await file.arrayBuffer())], 'calls.wav');
    for (const action of ['block', 'mask'] as const) {
      await open({ stage: 'input', action });
      await transcribe(plain, { [field]: field === 'chunking_strategy' ? JSON.stringify({ type: MAIL }) : MAIL });
      expect(action === 'block' ? sent : sent.filter((text) => text.includes('jane'))).toEqual([]);
      await harness.stop();
    }
    await open({ stage: 'input', action: 'block' });
  });
});

describe('guardrails over what was heard', () => {
  const TIMES = { 'timestamp_granularities[]': 'word' };

  it.each(FORMATS)('%s: is masked wherever it stands', async (format) => {
    const file = await record();
    await open({ stage: 'output' });
    const fields = {
      response_format: format,
      ...(format === 'verbose_json' ? TIMES : {}),
      ...(format === 'json' ? { 'include[]': 'logprobs' } : {}),
    };
    const { status, text, headers } = await transcribe(file, fields);
    expect([status, headers.get('x-weir-guardrail')]).toEqual([200, 'masked']);
    expect(text).toContain('[EMAIL_1]');
    expect(text).toContain('[CARD_1]');
    expect(text).not.toMatch(/jane|example|4111|1111|logprob|"tokens"/);
    expect(harness.events).toMatchObject([{ guardrail: 'masked', status: 'ok' }]);
    if (format === 'json') expect(JSON.parse(text)).toMatchObject({ text: HIDDEN });
    if (format === 'verbose_json') {
      const { words } = JSON.parse(text) as { words: { word: string }[] };
      expect(words.map(({ word }) => word).join(' ')).toBe(HIDDEN);
    }
  });

  it('a stream: comes when all of it was looked at', async () => {
    const file = await record();
    await open({ stage: 'output' });
    const { text, headers } = await transcribe(file, { stream: 'true' });
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(text).toContain(`"delta":"${HIDDEN}"`);
    expect(text).toContain('transcript.text.done');
    expect(text).not.toContain('jane');
  });

  it.each(['false', 'true'])('blocked, stream %s: an error without the text, and it is paid for', async (stream) => {
    const file = await record();
    await open({ stage: 'output', action: 'block' });
    const { status, text } = await transcribe(file, { stream });
    expect([status, text.includes('jane'), (JSON.parse(text) as { code: string }).code]).toEqual([403, false, 'guardrail_blocked']);
    expect(harness.events).toMatchObject([{ guardrail: 'flagged', status: 'refused_midstream', logical: true }]);
    expect(BigInt(harness.events[0]?.cost_p ?? 0)).toBeGreaterThan(0n);
  });

  it('subtitles of the provider’s own: a match that goes on in the next line; and prompts that were written anew', async () => {
    const file = await record();
    const own = createSandboxProvider();
    const rendered = '1\n00:00:00,000 --> 00:00:02,000\npay with 4111 1111\n\n2\n00:00:02,000 --> 00:00:04,000\n1111 1111 now\n';
    const transcription = { ...own.transcription, decodeReply: () => ({ text: '', usage: null, rendered }) };
    const images = {
      ...own.images,
      decodeReply: () => ({ created: 1, images: [{ base64: 'AAAA', revisedPrompt: `For ${MAIL}` }], usage: null, facts: {} }),
    };
    await open({ stage: 'output' }, { provider: { ...own, transcription, images } as Provider });
    const { text } = await transcribe(file, { response_format: 'srt' });
    expect(text).toBe(rendered.replace('4111 1111', '[CARD_1]').replace('1111 1111 now', ' now'));
    const drawn = await postJson('/v1/images/generations?model=sandbox/image', { model: 'sandbox/image', prompt: 'x' });
    expect(await drawn.json()).toMatchObject({ data: [{ b64_json: 'AAAA', revised_prompt: 'For [EMAIL_1]' }] });
    expect(drawn.headers.get('x-weir-guardrail')).toBe('masked');
  });

  it('asks scanners about both, and masks what they point out', async () => {
    const file = await record();
    const asked: { stage: string; texts: string[] }[] = [];
    const post = ({ body }: { body: string }): Promise<{ status: number; text: string }> => {
      const question = JSON.parse(body) as (typeof asked)[number];
      asked.push(question);
      const findings = question.stage === 'output' ? [{ name: 'verb', text: 0, start: 0, end: 5 }] : [];
      return Promise.resolve({ status: 200, text: JSON.stringify({ verdict: findings.length > 0 ? 'flagged' : 'passed', findings }) });
    };
    await open({ detectors: ['iban'], scannerUrl: 'https://scanner.test/' }, { scanners: { fetcher: { post }, timeoutMs: 100 } });
    const { text } = await transcribe(file, { prompt: 'a call' });
    expect(asked).toMatchObject([
      { stage: 'input', texts: [`${MAIL} calls`, 'a call'] },
      { stage: 'output', texts: [SAID] },
    ]);
    expect(JSON.parse(text)).toMatchObject({ text: SAID.replace('Write', '[VERB_1]') });
  });

  it('refuses a reply when a required scanner fails; it is paid for', async () => {
    const file = await record();
    await open({ stage: 'output', scannerUrl: 'https://scanner.test/' });
    expect((await transcribe(file)).status).toBe(503);
    expect(harness.events).toMatchObject([{ guardrail: 'scan_error', units: { ms_audio: expect.any(Number) as number } }]);
    expect(BigInt(harness.events[0]?.cost_p ?? 0)).toBeGreaterThan(0n);
  });
});
