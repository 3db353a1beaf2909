import { CHAT_ENDPOINTS, CHAT_MODELS, createRandom, describePrompt, encodeBody, MODELS, PATHS, pickInteger, pickOne } from '@weir/chaos';
import type { ClientRequest, Random } from '@weir/chaos';
import { makeRecording } from '@weir/testing';

/** What requests with this key cost is known to the caller to the last digit; of `leaving` it is not, because replies are not read to their end. */
export type KeyName = 'plain' | 'guarded' | 'leaving';

/** One call of a client. */
export type Asked = {
  readonly method?: 'GET' | 'DELETE';
  readonly path: string;
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** Leaves after so many milliseconds, or as soon as something has come. */
  readonly leaves?: number | 'at the first bytes';
};

export type Kind = {
  readonly name: string;
  /** How often, compared with the others. */
  readonly weight: number;
  readonly key: KeyName;
  readonly statuses: readonly number[];
  /** A reply says what it cost. */
  readonly isPriced: boolean;
  readonly ask: (seed: number, random: Random) => Asked;
};

export const POLICY = 'soak';

type ChatWish = Partial<Pick<ClientRequest, 'model' | 'isStream' | 'prompt'>> & { readonly headers?: Readonly<Record<string, string>> };

function askChat(seed: number, random: Random, { headers, ...wish }: ChatWish = {}): Asked {
  const request = {
    seed,
    endpoint: pickOne(random, CHAT_ENDPOINTS),
    model: pickOne(random, CHAT_MODELS).id,
    isStream: random() < 0.5,
    prompt: describePrompt(seed),
    ...wish,
  };
  return { path: PATHS[request.endpoint], body: encodeBody(request), ...(headers === undefined ? {} : { headers }) };
}

const OK = { statuses: [200], isPriced: true, key: 'plain' } as const;
const UNREAD = { statuses: [200], isPriced: false, key: 'leaving' } as const;
const REFUSED = { isPriced: false, key: 'plain' } as const;
/** The same few questions, so that most are answered from the cache. */
const CACHED_QUESTIONS = 5;
const recording = makeRecording(1);

/** What clients do all day. Chat is in three dialects at providers of three dialects: a third goes express, the rest is translated. */
export const KINDS: readonly Kind[] = [
  { ...OK, name: 'whole', weight: 24, ask: (seed, random) => askChat(seed, random, { isStream: false }) },
  { ...OK, name: 'stream', weight: 24, ask: (seed, random) => askChat(seed, random, { isStream: true }) },
  {
    ...OK,
    name: 'slow stream',
    weight: 6,
    ask: (seed, random) => askChat(seed, random, { isStream: true, prompt: describePrompt(seed, { outputTokens: 60, gapMs: 25 }) }),
  },
  {
    ...OK,
    name: 'embedding',
    weight: 6,
    ask: (seed) => ({
      path: PATHS.embeddings,
      body: encodeBody({ seed, endpoint: 'embeddings', model: MODELS.embedding.id, isStream: false, prompt: describePrompt(seed) }),
    }),
  },
  { ...OK, name: 'policy', weight: 6, ask: (seed, random) => askChat(seed, random, { model: `policy/${POLICY}` }) },
  {
    ...OK,
    name: 'guarded',
    weight: 6,
    key: 'guarded',
    ask: (seed, random) =>
      askChat(seed, random, {
        model: random() < 0.5 ? 'sandbox/chat' : MODELS.chat.id,
        prompt: `${describePrompt(seed)} and write to jane.${seed}@example.com`,
      }),
  },
  {
    ...OK,
    name: 'cached',
    weight: 2,
    ask: (_, random) => {
      const question = pickInteger(random, 1, CACHED_QUESTIONS);
      return askChat(question, createRandom(question), { headers: { 'x-weir-cache': '60' } });
    },
  },
  {
    ...OK,
    name: 'image',
    weight: 2,
    ask: (seed) => askJson('/v1/images/generations', { model: 'sandbox/image-tokens', prompt: `kite ${seed}`, size: '64x64' }),
  },
  {
    ...OK,
    name: 'speech',
    weight: 2,
    ask: (seed) => askJson('/v1/audio/speech', { model: 'sandbox/speech', input: `word ${seed}`, voice: 'alloy' }),
  },
  {
    ...OK,
    name: 'transcription',
    weight: 2,
    ask: () => ({ path: '/v1/audio/transcriptions', body: makeForm({ model: 'sandbox/transcription' }) }),
  },
  { ...REFUSED, name: 'file', weight: 1, statuses: [200], ask: () => ({ path: '/v1/files', body: makeForm({ purpose: 'user_data' }) }) },
  {
    ...REFUSED,
    name: 'provider fails',
    weight: 2,
    statuses: [502],
    ask: (seed, random) => askChat(seed, random, { prompt: describePrompt(seed, { ending: 'error' }) }),
  },
  { ...REFUSED, name: 'no such model', weight: 1, statuses: [404], ask: (seed, random) => askChat(seed, random, { model: 'none/such' }) },
  { ...REFUSED, name: 'not JSON', weight: 1, statuses: [400], ask: () => ({ path: PATHS.messages, body: '{"model":' }) },
  {
    ...UNREAD,
    name: 'provider cut off',
    weight: 2,
    ask: (seed, random) => askChat(seed, random, { isStream: true, prompt: describePrompt(seed, { ending: 'cut' }) }),
  },
  {
    ...UNREAD,
    name: 'leaves a stream',
    weight: 3,
    ask: (seed, random) => ({
      ...askChat(seed, random, { isStream: true, prompt: describePrompt(seed, { outputTokens: 60, gapMs: 25 }) }),
      leaves: 'at the first bytes',
    }),
  },
  {
    ...UNREAD,
    name: 'leaves before',
    weight: 1,
    ask: (seed, random) => ({
      ...askChat(seed, random, { isStream: false, prompt: describePrompt(seed, { firstByteMs: 400 }) }),
      leaves: 100,
    }),
  },
];

/** Sent twice under one Idempotency-Key: charged once. */
export const REPEATED: Kind = {
  ...OK,
  name: 'sent twice',
  weight: 3,
  ask: (seed, random) => askChat(seed, random, { headers: { 'idempotency-key': `soak-${seed}` } }),
};

function askJson(path: string, body: object): Asked {
  return { path, body: JSON.stringify(body) };
}

function makeForm(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([recording], { type: 'audio/wav' }), 'recording.wav');
  return form;
}
