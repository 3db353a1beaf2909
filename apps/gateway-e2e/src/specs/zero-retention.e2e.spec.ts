import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, type Database } from '@weir/database';
import { createTopics, readRecords } from '@weir/kafka';
import { createRedis, type Redis } from '@weir/redis-stores';
import {
  describeWithRealParts,
  dumpDatabase,
  findSecrets,
  makeTestFolder,
  readDatabaseFiles,
  startFakeUpstream,
  type FakeUpstream,
  type ReplyScript,
} from '@weir/testing';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { readAllKeys } from '../harness/read-all-keys';
import { waitForRequests } from '../harness/read-usage';
import { startDistributed, type DistributedHarness } from '../harness/start-distributed';
import { takeRealParts, type TakenParts } from '../harness/take-real-parts';

const silent = { info: () => undefined, warn: () => undefined };
const kept = (id: string, provider: string, upstreamModel: string, more: object = {}) => ({
  id,
  modality: 'chat',
  provider,
  upstreamModel,
  vendor: 'acme',
  canonicalName: id,
  dataPolicy: { retention: false, retentionDays: 0, training: false },
  prices: [{ version: '2026-11-21', validFrom: '2026-11-21', tiers: [{ threshold: 0, input: '0.000001', output: '0.000002' }] }],
  ...more,
});
const CATALOG = JSON.stringify([
  kept('nowhere/chat', 'openai', 'gpt-4o-mini'),
  kept('nowhere/messages', 'anthropic', 'claude-sonnet-4-5'),
  kept('nowhere/embedding', 'openai', 'text-embedding-3-small', {
    modality: 'embedding',
    prices: [{ version: '2026-11-21', validFrom: '2026-11-21', units: { input_token: '0.00000002' } }],
  }),
  ...(
    [
      ['image', 'dall-e-3', { image: '0.04' }],
      ['speech', 'tts-1', { character: '0.000015' }],
      ['transcription', 'whisper-1', { second: '0.0001' }],
    ] as const
  ).map(([modality, upstreamModel, units]) =>
    kept(`nowhere/${modality}`, 'openai', upstreamModel, {
      modality,
      prices: [{ version: '2026-11-21', validFrom: '2026-11-21', units }],
    }),
  ),
]);

type Upload = { readonly field: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string; readonly type: string };

/** Where something of a request could be left, as texts. */
type Places = Readonly<Record<'postgres' | 'files' | 'redis' | 'kafka' | 'journal' | 'logs' | 'disk', readonly (string | Buffer)[]>>;

const NOWHERE: Readonly<Record<keyof Places, never[]>> = { postgres: [], files: [], redis: [], kafka: [], journal: [], logs: [], disk: [] };

describeWithRealParts(['postgres', 'redis', 'kafka'], 'in one process per service', () => {
  let harness: DistributedHarness;
  let upstream: FakeUpstream;
  let database: Database;
  let redis: Redis;
  let parts: TakenParts;
  let call: CallHarness;
  const folder = makeTestFolder('canaries');
  const journal = makeTestFolder('canaries-journal');
  const canaries: string[] = [];
  const canary = (): string => {
    canaries.push(`canary-${randomUUID()}`);
    return canaries.at(-1) ?? '';
  };

  beforeAll(async () => {
    parts = await takeRealParts();
    await createTopics(parts.brokers);
    upstream = await startFakeUpstream();
    const env = {
      CATALOG,
      TMPDIR: folder,
      ...pointAt(upstream),
      LOG_LEVEL: 'debug',
      // A provider that refuses for its rate is to be seen, not waited for.
      PROVIDER_QUEUE_MS: '0',
      FETCH_PRIVATE_NETWORKS: '127.0.0.0/8',
      FETCH_PORTS: new URL(upstream.url).port,
    };
    harness = await startDistributed(parts, env, {
      'chat-translator': { JOURNAL_DIR: journal },
    });
    database = createDatabase({ url: parts.databaseUrl, poolMax: 2, log: silent as never });
    redis = createRedis(parts.redisUrl, silent);
    call = createCallHarness(harness);
    expect((await call('PATCH /v1/manage/org', { zero_data_retention: true, keep_contents_days: 30 })).status).toBe(204);
    await callUntil(
      () => call('POST /v1/estimate', { model: 'openai/gpt-4o', messages: [] }),
      ({ text }) => text.includes('data_policy'),
    );
  }, 180_000);
  afterAll(async () => {
    redis?.disconnect();
    await database?.close();
    await harness?.stop();
    await upstream.stop();
    await parts.stop();
  }, 60_000);

  const search = async (): Promise<Places> => ({
    postgres: [(await dumpDatabase(database)).text],
    files: await readDatabaseFiles(database),
    redis: await readAllKeys(redis),
    kafka: (await readRecords(parts.brokers)).map(({ key, value, headers }) => `${key} ${value} ${headers}`),
    journal: readFiles(journal),
    logs: Object.values(harness.services).map((service) => service.output()),
    disk: readFiles(folder),
  });
  const findIn = (places: Places, wanted: readonly string[]) =>
    Object.fromEntries(
      Object.entries(places).map(([place, texts]) => [place, [...new Set(texts.flatMap((text) => findSecrets(text, wanted)))]]),
    ) as Record<keyof Places, string[]>;

  /** Prompts through every dialect and lane, whole and streamed; each with an answer that repeats them. */
  async function sendContent(): Promise<number> {
    const key = (): Record<string, string> => ({ 'idempotency-key': randomUUID(), 'x-weir-cache': 'on' });
    const content = (): object[] => [
      { role: 'system', content: canary() },
      { role: 'user', content: `Repeat ${canary()}` },
    ];
    let served = 0;
    for (const model of ['nowhere/chat', 'nowhere/messages', 'sandbox/chat']) {
      for (const stream of [false, true]) {
        const replies = [
          await call('POST /v1/chat/completions', { model, stream, messages: content() }, key()),
          await call('POST /v1/responses', { model, stream, instructions: canary(), input: `Repeat ${canary()}` }, key()),
          await call('POST /v1/messages', { model, stream, max_tokens: 50, system: canary(), messages: content().slice(1) }, key()),
        ];
        for (const { status, headers } of replies) {
          expect(status).toBe(200);
          expect(headers).toMatchObject({ 'x-weir-idempotency': 'off; zero-retention', 'x-weir-cache': 'off; zero-retention' });
        }
        served += replies.length;
      }
    }
    for (const model of ['nowhere/embedding', 'sandbox/embedding']) {
      expect((await call('POST /v1/embeddings', { model, input: canary() }, key())).status).toBe(200);
      served += 1;
    }
    return served;
  }

  /** Pictures, speech and recordings: words, names of files, other fields, bytes that go in and bytes that come back. */
  async function sendMedia(): Promise<number> {
    const key = (): Record<string, string> => ({ 'idempotency-key': randomUUID() });
    const answer = (path: string, reply: ReplyScript): void => upstream.reply(reply, { when: (request) => request.path.startsWith(path) });
    const drawn = Buffer.from(`\x89PNG\r\n\x1a\n${canary()}`, 'latin1');
    answer('/drawn.png', { headers: { 'content-type': 'image/png' }, body: drawn });
    answer('/v1/images/generations', {
      body: { created: 1, data: [{ url: `${upstream.url}/drawn.png?${canary()}`, revised_prompt: canary() }] },
    });
    answer('/v1/audio/speech', { headers: { 'content-type': 'audio/mpeg' }, body: Buffer.from(canary()) });
    answer('/v1/audio/transcriptions', { body: { text: canary(), usage: { type: 'duration', seconds: 2 } } });
    const upload = async (path: string, model: string, { field, bytes, name, type }: Upload): Promise<number> => {
      const form = new FormData();
      for (const [field, value] of Object.entries({ model, prompt: canary(), canary_field: canary() })) form.append(field, value);
      form.append(field, new File([bytes], name, { type }));
      const headers = { authorization: `Bearer ${harness.apiKey}`, ...key() };
      const reply = await fetch(`${harness.url}${path}`, { method: 'POST', headers, body: form });
      await reply.arrayBuffer();
      return reply.status;
    };
    const wav = (): Upload => ({
      ...{ field: 'file', name: `${canary()}.wav`, type: 'audio/wav' },
      bytes: Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), Buffer.from(canary())]),
    });

    const made = [
      await call('POST /v1/images/generations', { model: 'nowhere/image', prompt: canary() }, key()),
      await call('POST /v1/images/generations', { model: 'sandbox/image', prompt: canary(), size: '64x64' }, key()),
    ];
    expect(made.map(({ status, headers }) => [status, headers['x-weir-idempotency']])).toEqual(
      made.map(() => [200, 'off; zero-retention']),
    );
    // The address that the provider returns would keep the picture there: it comes as bytes, and was asked for as such.
    expect(made[0]?.json['data']).toEqual([{ b64_json: drawn.toString('base64'), revised_prompt: expect.any(String) as string }]);
    expect(upstream.requests.find(({ path }) => path.startsWith('/v1/images'))?.bodyText).toContain('"response_format":"b64_json"');
    const linked = { model: 'sandbox/image', prompt: canary(), response_format: 'url' };
    expect(await call('POST /v1/images/generations', linked)).toMatchObject({ status: 403, json: { error: { code: 'data_policy' } } });
    for (const model of ['nowhere/speech', 'sandbox/speech']) {
      const spoken = await call('POST /v1/audio/speech', { model, input: canary(), instructions: canary(), voice: 'alloy' }, key());
      expect([spoken.status, spoken.status === 200 ? '' : spoken.text]).toEqual([200, '']);
    }
    expect(await upload('/v1/audio/transcriptions', 'nowhere/transcription', wav())).toBe(200);
    expect(await upload('/v1/audio/transcriptions', 'sandbox/transcription', wav())).toBe(200);
    const notOne = Buffer.from(`\x89PNG\r\n\x1a\n${canary()}`, 'latin1');
    const damaged = { field: 'image', name: `${canary()}.png`, type: 'image/png', bytes: notOne };
    expect(await upload('/v1/images/edits', 'sandbox/image', damaged)).toBe(400);
    return made.length + 4;
  }

  /** Content in requests that come to nothing, with a provider that repeats what it was sent. */
  async function sendMistakes(): Promise<HarnessReply[]> {
    const chat = (body: unknown): Promise<HarnessReply> => call('POST /v1/chat/completions', body, { 'idempotency-key': randomUUID() });
    const messages = (): object[] => [{ role: 'user', content: canary() }];
    const fail = (fault: string, plan: (bodyText: string) => ReplyScript): void =>
      upstream.reply(({ bodyText }) => plan(bodyText), { when: ({ bodyText }) => bodyText.includes(`"${fault}"`) });
    const replies: HarnessReply[] = [];
    for (const status of [400, 401, 429, 500]) {
      fail(`fault-${status}`, (text) => ({
        status,
        body: { error: { message: `Cannot answer: ${text}`, type: 'invalid_request_error' } },
      }));
      replies.push(await chat({ model: 'nowhere/chat', user: `fault-${status}`, messages: messages() }));
    }
    fail('fault-json', (text) => ({ body: `not JSON: ${text}` }));
    replies.push(await chat({ model: 'nowhere/chat', user: 'fault-json', messages: messages() }));
    fail('fault-event', (text) => ({ stream: [`data: ${JSON.stringify({ error: { message: text } })}\n\n`] }));
    fail('fault-cut', (text) => ({
      stream: [`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`],
      cutAfter: 1,
    }));
    for (const user of ['fault-event', 'fault-cut']) {
      await chat({ model: 'nowhere/chat', stream: true, user, messages: messages() }).catch(() => undefined);
    }
    replies.push(await chat(`{"model":"nowhere/chat","messages":[{"role":"user","content":"${canary()}"`));
    replies.push(await chat({ model: 'nowhere/chat', messages: canary() }));
    replies.push(await chat({ model: 'nowhere/messages', messages: [{ role: canary(), content: 'x' }] }));
    replies.push(await chat({ model: 'openai/gpt-4o-mini', messages: messages() }));
    replies.push(await call('POST /v1/embeddings', { model: 'nowhere/embedding', input: { [canary()]: 1 } }));
    return replies;
  }

  it('under zero retention nothing of the content is left: not in Postgres and its files, Redis, Kafka, journals, logs, on disk', async () => {
    const control = `control-${randomUUID()}`;
    const served = await sendContent();
    const media = await sendMedia();
    const mistakes = await sendMistakes();
    expect(mistakes.map(({ status }) => status)).toEqual([400, 502, 429, 502, 502, 400, 400, 400, 403, 400]);
    // What is no content is kept as ever: the search finds it in every place, so it would find the rest.
    const labelled = { 'x-weir-feature': control };
    const plain = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] };
    expect((await call('POST /v1/chat/completions', plain, labelled)).status).toBe(200);
    await call('POST /v1/chat/completions', { ...plain, model: control });
    await redis.set(control, 'planted', 'EX', 60);
    await waitForRequests(harness, served + media + 1);
    const probe = await searchUntil(control);

    expect(canaries.length).toBeGreaterThan(70);
    expect(upstream.requests.filter(({ bodyText }) => canaries.some((each) => bodyText.includes(each))).length).toBeGreaterThan(15);
    const controls = findIn(probe, [control]);
    expect({ ...controls, files: [], disk: [] }).toEqual({
      postgres: [control],
      redis: [control],
      kafka: [control],
      journal: [control],
      logs: [control],
      files: [],
      disk: [],
    });
    expect(findIn(probe, canaries)).toEqual(NOWHERE);
  }, 90_000);

  it('an organization’s own key reaches the worker, and is left nowhere in the clear', async () => {
    const secret = `sk-own-${randomUUID()}`;
    const made = await call('POST /v1/manage/provider-credential', { provider: 'openai', api_key: secret, mode: 'only' });
    expect(made.status).toBe(201);
    const seesKey = (): boolean => upstream.requests.at(-1)?.headers.authorization === `Bearer ${secret}`;
    const ask = (path: string, body: object): Promise<HarnessReply> => callUntil(() => call(`POST ${path}`, body), seesKey);

    const messages = [{ role: 'user', content: 'Hello' }];
    expect((await ask('/v1/chat/completions', { model: 'nowhere/chat', messages })).status).toBe(200);
    expect((await ask('/v1/embeddings', { model: 'nowhere/embedding', input: 'Hello' })).status).toBe(200);
    expect(findIn(await search(), [secret])).toEqual(NOWHERE);
    await call(`DELETE /v1/manage/provider-credential/${String(made.json['id'])}`);
  }, 30_000);

  it('a stream under an Idempotency-Key goes on between the processes when its caller left, and is left sealed', async () => {
    await call('PATCH /v1/manage/org', { zero_data_retention: false });
    const prompt = `prompt-${randomUUID()}`;
    const body = { model: 'sandbox/chat', stream: true, messages: [{ role: 'user', content: `!tokens 60 !gap 10 ${prompt}` }] };
    const key = (): Record<string, string> => ({ 'idempotency-key': randomUUID() });
    await callUntil(
      () => call('POST /v1/embeddings', { model: 'sandbox/embedding', input: 'x' }, key()),
      ({ headers }) => headers['x-weir-idempotency'] === undefined,
    );
    const headers = { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json', ...key() };
    const leaving = new AbortController();
    const reply = await fetch(`${harness.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await reply.body?.getReader().read();
    leaving.abort();

    const found = await callUntil(
      () => call('POST /v1/chat/completions', body, headers),
      ({ status }) => status === 200,
    );
    expect(found.headers['idempotency-replayed']).toBe('true');
    expect(found.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(findIn(await search(), [prompt])).toEqual(NOWHERE);
  }, 30_000);

  /** Events of the control are on their way for a moment. */
  async function searchUntil(control: string): Promise<Places> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const places = await search();
      const isThere = places.postgres.some((text) => text.includes(control)) && places.kafka.some((text) => text.includes(control));
      if (isThere || Date.now() > deadline) return places;
    }
  }
});

function readFiles(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
}
