import type { ChatEvent, FinishReason, OpaqueState, Usage } from '@weir/canonical';
import { createDice, type Dice } from './dice';

type BlockEvent = Extract<ChatEvent, { block: number }>;
type SampleOptions = { readonly choices?: number; readonly interleaves?: boolean };

const TEXTS = ['hello ', 'wörld "quoted"\n', '\u2028\t\\', '\ud83d', '\ude00', '', '</s> {"a":1}', 'data: [DONE]\n\n', 'x'.repeat(300)];
const FAMILIES = ['messages', 'responses', 'converse', 'chat-completions'];
// prettier-ignore
const FINISHES: readonly FinishReason['unified'][] = [
  'stop', 'stop-sequence', 'length', 'context-full', 'tool-calls', 'content-filter', 'pause', 'error',
];

/** A reply as a provider could stream it, the same for the same seed: for tests of whatever encodes or relays streams. */
export function createSampleEvents(seed: number, options: SampleOptions = {}): ChatEvent[] {
  const dice = createDice(seed);
  const choices = options.choices ?? 1;
  const start: ChatEvent = {
    type: 'start',
    id: dice.pick(['', 'resp_7', 'chatcmpl-7', 'msg_7', 'q']),
    model: 'vendor/model-1',
    createdAtSeconds: 1_790_000_000,
  };
  const pending = Array.from({ length: dice.roll(7) }, () => createBlock(dice, dice.roll(choices)));
  const events = [start, ...weave(pending, dice, options.interleaves ?? true)];
  for (let choice = 0; choice < choices; choice += 1) events.push({ type: 'finish', choice, finish: createFinish(dice) });
  return [...events, { type: 'usage', usage: createSampleUsage(seed) }, { type: 'end' }];
}

function createSampleUsage(seed: number): Usage {
  const dice = createDice(seed ^ 0x5bd1e995);
  const output = dice.roll(5000);
  return {
    inputUncached: dice.roll(5000),
    cacheRead: dice.roll(5000),
    cacheWrite5m: dice.roll(5000),
    cacheWrite1h: dice.roll(5000),
    output,
    reasoning: dice.roll(output + 1),
    audioInput: 0,
    audioOutput: 0,
    searches: dice.roll(3),
    source: 'provider',
  };
}

function createFinish(dice: Dice): FinishReason {
  const unified = dice.pick(FINISHES);
  const explained = unified === 'content-filter' && dice.roll(2) === 1 ? { explanation: 'because' } : {};
  return { unified, upstream: 'word', ...(unified === 'stop-sequence' ? { stopSequence: 'END' } : {}), ...explained };
}

/** Blocks are numbered by their first appearance; while several run, their events mix. */
function weave(pending: BlockEvent[][], dice: Dice, interleaves: boolean): ChatEvent[] {
  const woven: ChatEvent[] = [];
  const running: { block: number; events: BlockEvent[] }[] = [];
  let next = 0;
  while (pending.length > 0 || running.length > 0) {
    if (pending.length > 0 && (running.length === 0 || (interleaves && dice.roll(4) === 0))) {
      running.push({ block: next, events: pending.shift() ?? [] });
      next += 1;
      emit(running[running.length - 1], woven);
    } else {
      emit(dice.pick(running), woven);
    }
    const over = running.findIndex((entry) => entry.events.length === 0);
    if (over !== -1) running.splice(over, 1);
  }
  return woven;
}

function emit(entry: { block: number; events: BlockEvent[] } | undefined, woven: ChatEvent[]): void {
  const event = entry?.events.shift();
  if (entry !== undefined && event !== undefined) woven.push({ ...event, block: entry.block });
}

function createBlock(dice: Dice, choice: number): BlockEvent[] {
  const at = { choice, block: 0 };
  switch (dice.roll(6)) {
    case 0:
      return createText(dice, at);
    case 1:
      return [
        { type: 'refusal-start', ...at },
        ...deltas(dice).map((text) => ({ type: 'refusal-delta' as const, ...at, text })),
        { type: 'refusal-end', ...at },
      ];
    case 2:
      return createReasoning(dice, at);
    case 3:
      return createSearch(dice, at);
    case 4:
      return [{ type: 'opaque', ...at, content: { type: 'opaque', family: 'elsewhere', raw: { type: 'thing' } } }];
    default:
      return createCall(dice, at);
  }
}

type Place = { readonly choice: number; readonly block: number };

function deltas(dice: Dice): string[] {
  return Array.from({ length: dice.roll(5) }, () => dice.pick(TEXTS));
}

function createText(dice: Dice, at: Place): BlockEvent[] {
  const citation = {
    url: 'https://example.org/a',
    title: 'A "title"',
    ...(dice.roll(2) === 0 ? { start: 0, end: 3 } : { citedText: 'cited' }),
  };
  const cited: BlockEvent[] = dice.roll(3) === 0 ? [{ type: 'citation', ...at, citation }] : [];
  const said = deltas(dice).map((text): BlockEvent => ({ type: 'text-delta', ...at, text }));
  return [{ type: 'text-start', ...at }, ...cited, ...said, ...cited, { type: 'text-end', ...at }];
}

function createState(dice: Dice): OpaqueState {
  return {
    family: dice.pick(FAMILIES),
    kind: dice.pick(['signature', 'encrypted', 'redacted'] as const),
    value: `st\u00e4te+/=${dice.roll(99)}`,
  };
}

function createReasoning(dice: Dice, at: Place): BlockEvent[] {
  const stated: BlockEvent[] = dice.roll(2) === 0 ? [{ type: 'reasoning-state', ...at, state: createState(dice) }] : [];
  const thought = deltas(dice).map((text): BlockEvent => ({ type: 'reasoning-delta', ...at, text }));
  return [{ type: 'reasoning-start', ...at, isSummary: dice.roll(2) === 0 }, ...thought, ...stated, { type: 'reasoning-end', ...at }];
}

function createSearch(dice: Dice, at: Place): BlockEvent[] {
  const results = Array.from({ length: dice.roll(3) }, () => ({ url: 'https://example.org/b', title: 'B', state: createState(dice) }));
  const failed = dice.roll(4) === 0 ? { errorCode: 'unavailable' } : {};
  return [
    { type: 'web-search-start', ...at, id: `ws_${dice.roll(99)}`, query: '' },
    { type: 'web-search-end', ...at, query: 'what "now"', results, ...failed },
  ];
}

function createCall(dice: Dice, at: Place): BlockEvent[] {
  const stated = dice.roll(3) === 0 ? { state: createState(dice) } : {};
  const kind = dice.roll(4) === 0 ? 'custom' : 'function';
  const said = dice.pick([['{"a":', '1.0', ',"b":"x y"}'], ['{}'], [], ['{"cut":"o']]);
  return [
    { type: 'tool-call-start', ...at, id: `call_${dice.roll(1e9)}`, name: 'look_up', kind, ...stated },
    ...said.map((argumentsText): BlockEvent => ({ type: 'tool-call-delta', ...at, argumentsText })),
    { type: 'tool-call-end', ...at },
  ];
}
