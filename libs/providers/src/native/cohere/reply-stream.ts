import type { EventLog } from '../../streams/create-event-log';
import { asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { unwrapCustomInput } from '../../wire/remember-custom-tools';
import { decodeCitation, isOfText } from './decode-citation';
import { decodeFinish } from './decode-finish';
import { readUsage } from './read-usage';

export type DecodeContext = { readonly fallbackModel: string; readonly customTools: ReadonlySet<string> };

/** A reply as it arrives, piece by piece or at once. */
export type ReplyStream = {
  start(id: unknown): void;
  hasStarted(): boolean;
  /** Text goes on in the open block of its kind, or in a new one. */
  say(kind: ProseKind, text: unknown): void;
  /** The next text is a block of its own. */
  closeProse(): void;
  startCall(call: JsonRecord): void;
  addArguments(text: unknown): void;
  endCall(): void;
  /** Belongs to the text emitted last: citations come after their text has ended. */
  cite(citation: JsonRecord): void;
  finish(word: unknown, usage: unknown): void;
};

type ProseKind = 'text' | 'reasoning';

type State = {
  readonly log: EventLog;
  readonly context: DecodeContext;
  hasStarted: boolean;
  prose: { readonly kind: ProseKind; readonly block: number } | null;
  /** `buffered` is what cannot be emitted yet: all input of a free-form tool, and what may become the word "null". */
  call: { readonly block: number; readonly isCustom: boolean; buffered: string; isEmpty: boolean } | null;
  calls: number;
};

export function createReplyStream(log: EventLog, context: DecodeContext): ReplyStream {
  const state: State = { log, context, hasStarted: false, prose: null, call: null, calls: 0 };
  return {
    start: (id) => start(state, id),
    hasStarted: () => state.hasStarted,
    say: (kind, text) => say(state, kind, text),
    closeProse: () => closeProse(state),
    startCall: (call) => startCall(state, call),
    addArguments: (text) => addArguments(state, text),
    endCall: () => endCall(state),
    cite: (citation) => cite(state, citation),
    finish: (word, usage) => finish(state, word, usage),
  };
}

function start(state: State, id: unknown): void {
  if (state.hasStarted) return;
  state.hasStarted = true;
  state.log.add({
    type: 'start',
    id: asText(id) ?? mintId('chat_'),
    // The provider does not say who answered, nor when.
    model: state.context.fallbackModel,
    createdAtSeconds: Math.floor(Date.now() / 1000),
  });
}

function say(state: State, kind: ProseKind, text: unknown): void {
  const reported = asText(text);
  if (reported === undefined) return;
  const block = openProse(state, kind);
  state.log.add({ type: `${kind}-delta`, choice: 0, block, text: reported });
}

function openProse(state: State, kind: ProseKind): number {
  if (state.prose?.kind === kind) return state.prose.block;
  closeProse(state);
  endCall(state);
  const block = state.log.nextBlock();
  state.prose = { kind, block };
  state.log.add({ type: `${kind}-start`, choice: 0, block });
  return block;
}

function closeProse(state: State): void {
  if (state.prose === null) return;
  state.log.add({ type: `${state.prose.kind}-end`, choice: 0, block: state.prose.block });
  state.prose = null;
}

function startCall(state: State, reported: JsonRecord): void {
  closeProse(state);
  endCall(state);
  const called = asRecord(reported['function']) ?? {};
  const name = asText(called['name']) ?? '';
  const isCustom = state.context.customTools.has(name);
  const block = state.log.nextBlock();
  state.call = { block, isCustom, buffered: '', isEmpty: true };
  state.calls += 1;
  const id = asText(reported['id']) ?? mintId('call_');
  state.log.add({ type: 'tool-call-start', choice: 0, block, id, name, kind: isCustom ? 'custom' : 'function' });
  addArguments(state, called['arguments']);
}

function addArguments(state: State, text: unknown): void {
  const { call } = state;
  if (call === null || typeof text !== 'string') return;
  call.buffered += text;
  if (call.isCustom || (call.isEmpty && 'null'.startsWith(call.buffered.trim()))) return;
  release(state, call.buffered);
  call.buffered = '';
}

/** Tools without arguments are called with nothing or with "null", which callers could not read as an object. */
function endCall(state: State): void {
  const { call } = state;
  if (call === null) return;
  const isNothing = call.buffered.trim() === '' || call.buffered.trim() === 'null';
  if (call.isCustom) release(state, unwrapCustomInput(call.buffered));
  else if (call.isEmpty && isNothing) release(state, '{}');
  else release(state, call.buffered);
  state.log.add({ type: 'tool-call-end', choice: 0, block: call.block });
  state.call = null;
}

function release({ log, call }: State, text: string): void {
  if (call === null || text === '') return;
  call.isEmpty = false;
  log.add({ type: 'tool-call-delta', choice: 0, block: call.block, argumentsText: text });
}

function cite({ log, prose }: State, reported: JsonRecord): void {
  if (prose?.kind !== 'text' || !isOfText(reported)) return;
  for (const citation of decodeCitation(reported)) log.add({ type: 'citation', choice: 0, block: prose.block, citation });
}

function finish(state: State, word: unknown, usage: unknown): void {
  closeProse(state);
  endCall(state);
  state.log.add({ type: 'finish', choice: 0, finish: decodeFinish(word, state.calls > 0) });
  const read = readUsage(usage);
  if (read !== null) state.log.add({ type: 'usage', usage: read });
  state.log.close({ type: 'end' });
}
