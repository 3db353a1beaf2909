import type { ReplyPlan } from './processes/reply-plan';

/** What a generator asks every target for. */
export type Load = {
  readonly name: string;
  readonly model: string;
  readonly stream: boolean;
  readonly promptBytes: number;
  readonly reply: ReplyPlan;
  readonly connections: number;
  /** Paced; otherwise each connection asks as soon as it has its reply. */
  readonly perSecond?: number;
};

const SAME_DIALECT = 'openai/gpt-4o-mini';
const OTHER_DIALECT = 'anthropic/claude-haiku-4-5';

/** A chat of 2.4 KB; a prompt of about 100,000 tokens. */
const CHAT_BYTES = 2_381;
const BIG_BYTES = 405_000;
const CONNECTIONS = 32;
const PACED_PER_SECOND = 1_000;

/** Between these two the cost of a frame is the slope. */
export const FEW_FRAMES = 50;
export const MANY_FRAMES = 250;

const WHOLE: Load = {
  name: 'whole',
  model: SAME_DIALECT,
  stream: false,
  promptBytes: CHAT_BYTES,
  reply: { frames: 0 },
  connections: CONNECTIONS,
};

/**
 * Frames come in one burst: one by one, a slow gateway finds several in one read where a fast one finds each alone, and would
 * look the cheaper for it.
 */
const STREAM: Load = { ...WHOLE, name: 'stream', stream: true, reply: { frames: 100 } };

export const LOADS = {
  whole: WHOLE,
  paced: { ...WHOLE, name: 'paced', perSecond: PACED_PER_SECOND },
  stream: STREAM,
  few: { ...STREAM, name: 'few frames', reply: { frames: FEW_FRAMES } },
  many: { ...STREAM, name: 'many frames', reply: { frames: MANY_FRAMES } },
  translated: { ...STREAM, name: 'translated', model: OTHER_DIALECT },
  translatedFew: { ...STREAM, name: 'translated, few frames', model: OTHER_DIALECT, reply: { frames: FEW_FRAMES } },
  translatedMany: { ...STREAM, name: 'translated, many frames', model: OTHER_DIALECT, reply: { frames: MANY_FRAMES } },
  one: { ...WHOLE, name: 'one connection', connections: 1 },
  big: { ...WHOLE, name: 'big prompt', promptBytes: BIG_BYTES },
  apart: { ...WHOLE, name: 'edge and worker apart' },
} as const satisfies Record<string, Load>;

const SYSTEM = 'You are a careful analyst. ';
const SENTENCE = 'Please summarize the history of computing in some detail again. ';
const TURNS = 6;

/** A conversation of so many bytes; usage of a stream is asked for only where it says so, as most callers do not. */
export function buildBody({ model, stream, promptBytes }: Load, { asksUsage = false } = {}): string {
  const build = (filler: string): string =>
    JSON.stringify({
      model,
      messages: [
        { role: 'system', content: SYSTEM.repeat(10) },
        { role: 'user', content: filler },
        ...Array.from({ length: TURNS }, (_, turn) => ({ role: turn % 2 === 0 ? 'assistant' : 'user', content: SENTENCE.repeat(4) })),
      ],
      max_tokens: 256,
      temperature: 0.7,
      ...(stream ? { stream: true } : {}),
      ...(stream && asksUsage ? { stream_options: { include_usage: true } } : {}),
    });
  const missing = Math.max(1, promptBytes - build('').length);
  return build(SENTENCE.repeat(Math.ceil(missing / SENTENCE.length)).slice(0, missing));
}
