import { keepNative, repairFinish } from './repair-finish';
import { repairWords } from './repair-message';
import { isRecord, type Json, type RepairRules } from './repair-rules';
import { completeCalls, repairFragments, type SeenCalls } from './repair-tool-calls';

/** What the stream has said of one choice so far. */
export type ChoiceState = SeenCalls & { hasRole: boolean; hasFunction: boolean; hasFinished: boolean };

export function createChoiceState(): ChoiceState {
  return { calls: [], hasRole: false, hasFunction: false, hasFinished: false };
}

/** One repaired choice: `last` follows in a chunk of its own; `null` where nothing is left. */
type RepairedChoice = { readonly now: Json | null; readonly last: Json | null };

/** Repairs one choice of a chunk. */
export function repairChoice(choice: Json, state: ChoiceState, rules: RepairRules): RepairedChoice {
  const delta = repairDelta(choice, state, rules);
  const finish = readFinish(choice, state, rules);
  if (finish !== null) addArguments(delta, completeCalls(state));
  const native = rules.has('finish-reason-words') ? keepNative(choice['finish_reason']) : {};
  const wasFinished = state.hasFinished;
  state.hasFinished ||= finish !== null;
  const now: Json = { ...native, ...choice, delta, finish_reason: wasFinished && rules.has('last-delta-with-reason') ? null : finish };
  if (!rules.has('last-delta-with-reason')) return { now, last: null };
  const isSilent = !saysAnything(delta);
  if (wasFinished) return { now: isSilent ? null : now, last: null };
  if (finish === null) return { now, last: null };
  if (isSilent) return { now: { ...now, delta: {} }, last: null };
  return { now: { ...now, finish_reason: null }, last: { index: choice['index'], delta: {}, finish_reason: finish, ...native } };
}

/** Of a call that begins in this delta they stand with its name. */
function addArguments(delta: Json, fragments: readonly Json[]): void {
  if (fragments.length === 0) return;
  const calls = Array.isArray(delta['tool_calls']) ? (delta['tool_calls'] as Json[]) : [];
  const begun = new Map(fragments.map((fragment) => [fragment['index'], fragment['function'] as Json]));
  const here = calls.map((call) => {
    const more = begun.get(call['index']);
    if (more === undefined) return call;
    begun.delete(call['index']);
    return { ...call, function: { ...(call['function'] as Json), ...more } };
  });
  delta['tool_calls'] = [...here, ...fragments.filter(({ index }) => begun.has(index))];
}

function repairDelta(choice: Json, state: ChoiceState, rules: RepairRules): Json {
  const { delta: reported, message } = choice;
  const isWhole = !isRecord(reported) && isRecord(message) && !state.hasRole;
  const delta: Json = { ...(isRecord(reported) ? reported : isWhole ? message : {}) };
  if (isWhole) delete choice['message'];
  repairWords(delta, rules);
  repairRole(delta, state, rules);
  const { tool_calls: calls } = delta;
  if (Array.isArray(calls) && rules.has('tool-call-fragments')) delta['tool_calls'] = repairFragments(calls, state);
  else if (Array.isArray(calls) && calls.length > 0)
    state.calls.push({ index: state.calls.length, reportedIndex: undefined, reportedId: undefined, isNamed: true, isEmpty: false });
  state.hasFunction ||= isRecord(delta['function_call']);
  return delta;
}

function repairRole(delta: Json, state: ChoiceState, { has }: RepairRules): void {
  if (has('members-left-out') && !state.hasRole) delta['role'] = 'assistant';
  else if (state.hasRole && has('roles-repeated')) delete delta['role'];
  state.hasRole = true;
}

function readFinish(choice: Json, { calls, hasFunction }: ChoiceState, { has }: RepairRules): unknown {
  const reported = choice['finish_reason'] ?? null;
  return has('finish-reason-words') ? repairFinish(reported, { hasTools: calls.length > 0, hasFunction }) : reported;
}

/** Whether a delta holds more than empty text. */
function saysAnything(delta: Json): boolean {
  return Object.values(delta).some((value) => value !== null && value !== '' && value !== undefined);
}
