import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets, startFakeUpstream, type FakeUpstream, type RecordedRequest, type ReplyScript } from '@weir/testing';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { startStandalone, type Harness } from '../harness/start-standalone';
import { startTraceCollector, type TraceCollector } from '../harness/start-trace-collector';

/** No maker's keys look like this, so that only who knows the secret can take it out. */
const makeSecret = (): string => createHash('md5').update(randomUUID()).digest('hex');

const OF_OPENAI = makeSecret();
const OF_ANTHROPIC = makeSecret();
const OWN = makeSecret();
const IN_ADDRESS = `canary-${randomUUID()}`;

const FAULTS = ['400', '401', '404', '422', '429', '500', 'in-band', 'in-band-late', 'no-json', 'moved'] as const;
type Fault = (typeof FAULTS)[number];

const said = [{ role: 'user', content: 'Hello' }];
const [GPT, CLAUDE] = ['openai/gpt-4o-mini', 'anthropic/claude-sonnet-4-5'];
const ROUTES: readonly (readonly [string, object])[] = [
  ...[GPT, CLAUDE].flatMap((model) =>
    [false, true].flatMap((stream) => [
      ['/v1/chat/completions', { model, stream, messages: said }] as const,
      ['/v1/completions', { model, stream, prompt: 'Hello' }] as const,
      ['/v1/responses', { model, stream, input: 'Hello' }] as const,
      ['/v1/messages', { model, stream, max_tokens: 50, messages: said }] as const,
    ]),
  ),
  ['/v1/responses', { model: 'openai-responses/gpt-4.1', stream: true, input: 'Hello' }],
  ['/v1/responses/input_tokens', { model: 'openai-responses/gpt-4.1', input: 'Hello' }],
  ['/v1/messages/count_tokens', { model: CLAUDE, messages: said }],
  ['/v1/embeddings', { model: 'openai/text-embedding-3-small', input: 'Hello' }],
  ['/v1/images/generations', { model: 'openai/gpt-image-1', prompt: 'A kite' }],
  ['/v1/audio/speech', { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' }],
];

/** A reply that repeats the key it was sent, wherever a reply can hold a text. */
function reportKey({ headers, path, bodyText }: RecordedRequest, fault: Fault): ReplyScript {
  const key = String(headers['x-api-key'] ?? headers.authorization?.slice('Bearer '.length));
  const message = `Incorrect key provided: ${key}.${' '.repeat(3950)}Sent as ${headers.authorization ?? ''}, ${key}; to ${path}?key=${key}`;
  const error = { message, type: `type ${key}`, code: `code ${key}`, param: key };
  const reported = { 'x-request-id': key, 'www-authenticate': `Bearer ${key}`, 'x-repeated': key };
  if (fault === 'moved') return { status: 302, headers: { ...reported, location: `http://127.0.0.1:9/?key=${key}` } };
  // What a provider writes where its answer ought to be is passed on as the answer it is.
  if (fault === 'no-json' && !bodyText.includes('"stream":true')) return { headers: reported, body: `no JSON: ${message}` };
  if (/^\d+$/.test(fault)) return { status: Number(fault), headers: reported, body: { error, detail: message } };
  if (!bodyText.includes('"stream":true')) return { headers: reported, body: { type: 'error', error } };
  const first = fault === 'in-band' ? [] : beginStream(path);
  const failed = { type: 'response.failed', sequence_number: 1, response: { id: 'resp_1', status: 'failed', error, output: [] } };
  const last = path.includes('/responses')
    ? [`event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`]
    : [`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`];
  return { headers: { ...reported, 'content-type': 'text/event-stream' }, stream: [...first, ...last] };
}

function beginStream(path: string): string[] {
  if (path.includes('/chat')) return [`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'Hi' } }] })}\n\n`];
  if (path.includes('/responses')) {
    const response = { id: 'resp_1', object: 'response', status: 'in_progress', model: 'm', output: [], usage: null };
    return [`event: response.created\ndata: ${JSON.stringify({ type: 'response.created', sequence_number: 0, response })}\n\n`];
  }
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } };
  return [`event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message })}\n\n`];
}

describe('keys that providers repeat', () => {
  let harness: Harness;
  let upstream: FakeUpstream;
  let collector: TraceCollector;
  let call: CallHarness;
  let fault: Fault = '400';
  let callerKey = '';

  beforeAll(async () => {
    [upstream, collector] = await Promise.all([startFakeUpstream(), startTraceCollector()]);
    upstream.reply((request) => reportKey(request, fault), { when: () => true });
    harness = await startStandalone({
      env: {
        ...pointAt(upstream),
        OPENAI_API_KEY: OF_OPENAI,
        ANTHROPIC_API_KEY: OF_ANTHROPIC,
        LOG_LEVEL: 'debug',
        // A provider that refuses for its rate is to be seen, not waited for.
        PROVIDER_QUEUE_MS: '0',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    });
    call = createCallHarness(harness);
    callerKey = String((await call('POST /v1/manage/apikey', { name: 'a caller' })).json['api_key']);
  }, 60_000);
  afterAll(async () => {
    await harness.process.terminate();
    await collector.stop();
    await upstream.stop();
  });

  const ask = (path: string, body: unknown): Promise<HarnessReply> =>
    call(`POST ${path}`, body, { authorization: `Bearer ${callerKey}`, 'idempotency-key': randomUUID() });
  const transcribe = async (): Promise<HarnessReply> => {
    const form = new FormData();
    form.append('model', 'openai/whisper-1');
    form.append('file', new File([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')], 'a.wav', { type: 'audio/wav' }));
    const headers = { authorization: `Bearer ${callerKey}` };
    const reply = await fetch(`${harness.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
    return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text(), json: {} };
  };
  const reportAll = (replies: readonly HarnessReply[]): string =>
    replies.map((reply) => JSON.stringify([reply.headers, reply.text])).join('\n');

  it('reach no caller, in no dialect, whatever the failure', async () => {
    const leaks: string[] = [];
    let served = 0;
    for (fault of FAULTS) {
      for (const [path, body] of ROUTES) {
        const reply = await ask(path, body).catch((error: unknown) => ({ status: 0, headers: {}, text: String(error), json: {} }));
        if (reply.status >= 200 && reply.status < 300) served += 1;
        if (findSecrets(reportAll([reply]), [OF_OPENAI, OF_ANTHROPIC, callerKey]).length > 0) {
          leaks.push(`${fault} ${path} ${JSON.stringify(body)}: ${reportAll([reply])}`);
        }
      }
      if (findSecrets(reportAll([await transcribe()]), [OF_OPENAI]).length > 0) leaks.push(`${fault} transcription`);
    }
    expect(leaks).toEqual([]);
    // Streams that failed after they began have status 200 as well; what is inside them was searched above.
    expect(served).toBeGreaterThan(5);
    expect(upstream.requests.length).toBeGreaterThan(100);
  }, 120_000);

  it('reach no one of an organization that brought its own, and none is left anywhere', async () => {
    await call('POST /v1/manage/provider-credential', { provider: 'openai', api_key: OWN, mode: 'only' });
    fault = '400';
    const own = (path: string, body: object): Promise<HarnessReply> => ask(path, body);
    await callUntil(
      () => own('/v1/chat/completions', { model: GPT, messages: said }),
      () => upstream.requests.at(-1)?.headers.authorization === `Bearer ${OWN}`,
    );
    const replies: HarnessReply[] = [];
    for (fault of FAULTS) {
      for (const stream of [false, true]) replies.push(await own('/v1/chat/completions', { model: GPT, stream, messages: said }));
      replies.push(await own('/v1/embeddings', { model: 'openai/text-embedding-3-small', input: 'Hello' }));
    }
    expect(findSecrets(reportAll(replies), [OWN, OF_OPENAI])).toEqual([]);

    const image_url = { url: `${upstream.url}/${IN_ADDRESS}?token=${IN_ADDRESS}` };
    fault = '404';
    await ask('/v1/chat/completions', { model: CLAUDE, messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }] });
    await call('GET /v1/auth/check', undefined, { authorization: `Bearer ${callerKey}x` });
    await fetch(`${harness.url}/v1/models/${callerKey}?api_key=${callerKey}`);
    await ask('/v1/chat/completions', { model: callerKey, messages: said });

    const metrics = await (await fetch(`${harness.metricsUrl}/metrics`)).text();
    expect(metrics).toContain('weir_');
    await harness.process.terminate();
    const places = {
      logs: [harness.process.output()],
      metrics: [metrics],
      traces: [collector.texts()],
      disk: readFiles(harness.dataDir),
    };
    expect(places.logs[0]).toContain('"msg":"request"');
    expect(places.disk.some((file) => file.includes('a caller'))).toBe(true);
    const secrets = [OF_OPENAI, OF_ANTHROPIC, OWN, callerKey, IN_ADDRESS];
    for (const [place, texts] of Object.entries(places)) {
      expect([place, [...new Set(texts.flatMap((text) => findSecrets(text, secrets)))]]).toEqual([place, []]);
    }
  }, 90_000);
});

function readFiles(folder: string): Buffer[] {
  return unlessGone(() => readdirSync(folder, { withFileTypes: true })).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return readFiles(path);
    return entry.isFile() ? unlessGone(() => [readFileSync(path)]) : [];
  });
}

/** A database that shuts down takes files away between the listing and the reading. */
function unlessGone<Item>(read: () => Item[]): Item[] {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
