import { stringifyExactJson } from '@weir/canonical';
import type { EventLog } from '../../streams/create-event-log';
import { asArray, asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { unwrapCustomInput } from '../../wire/remember-custom-tools';
import { decodeFinish, findBreakdown } from './decode-finish';
import { countSearches, decodeGrounding, type Grounding } from './decode-grounding';
import { decodeLogprobs, type Logprobs } from './decode-logprobs';
import { addPartialArgument, createArguments } from './partial-arguments';

export type DecodeContext = { readonly family: string; readonly fallbackModel: string; readonly customTools: ReadonlySet<string> };

/** One candidate of a reply as its parts arrive. */
export type CandidateStream = {
  take(candidate: JsonRecord): void;
  hasFinished(): boolean;
  close(): void;
  /** Why it broke down; undefined when it did not. */
  breakdown(): string | undefined;
  finish(): void;
  searchCount(): number;
};

type Parts = { readonly log: EventLog; readonly choice: number; readonly context: DecodeContext };
type State = Parts & {
  open: { readonly kind: 'text' | 'reasoning'; readonly block: number } | null;
  /** A call whose arguments are still coming in pieces. */
  call: OpenCall | null;
  /** The whole text of the open block, into which sources point. */
  text: string;
  last: JsonRecord;
  grounding: unknown;
  /** The search is known before the first word: the answer came in one piece. */
  isSearchKnown: boolean;
  isSearchReported: boolean;
  /** Of the words to come: they go with the first of them. */
  logprobs: Logprobs | undefined;
  toolCalls: number;
  searches: number;
};

type OpenCall = { readonly block: number; readonly isCustom: boolean; readonly args: JsonRecord };

export function createCandidateStream(parts: Parts): CandidateStream {
  const nothing = { open: null, call: null, text: '', last: {}, grounding: undefined, isSearchKnown: false, logprobs: undefined };
  const state: State = { ...parts, ...nothing, isSearchReported: false, toolCalls: 0, searches: 0 };
  return {
    take(candidate) {
      state.logprobs = decodeLogprobs(candidate['logprobsResult']);
      if (candidate['groundingMetadata'] !== undefined) state.grounding = candidate['groundingMetadata'];
      if (asText(candidate['finishReason']) !== undefined) state.last = candidate;
      state.isSearchKnown = state.grounding !== undefined && asText(state.last['finishReason']) !== undefined;
      for (const part of asArray(asRecord(candidate['content'])?.['parts'])) takePart(state, asRecord(part) ?? {});
    },
    hasFinished: () => asText(state.last['finishReason']) !== undefined,
    close: () => close(state),
    breakdown: () => findBreakdown(state.last),
    finish: () => state.log.add({ type: 'finish', choice: state.choice, finish: decodeFinish(state.last, state.toolCalls > 0) }),
    searchCount: () => state.searches,
  };
}

function takePart(state: State, part: JsonRecord): void {
  const { log, choice } = state;
  const call = asRecord(part['functionCall']);
  if (call !== undefined) return takeCall(state, call, asText(part['thoughtSignature']));
  closeCall(state);
  const text = asText(part['text']);
  if (text !== undefined && part['thought'] === true) {
    log.add({ type: 'reasoning-delta', choice, block: openBlock(state, 'reasoning'), text });
  } else if (text !== undefined) {
    const { logprobs } = state;
    log.add({ type: 'text-delta', choice, block: openBlock(state, 'text'), text, ...(logprobs === undefined ? {} : { logprobs }) });
    state.logprobs = undefined;
    state.text += text;
  } else if (part['text'] === undefined && Object.keys(part).some((name) => name !== 'thoughtSignature' && name !== 'thought')) {
    takeOpaque(state, part);
  }
  const signature = asText(part['thoughtSignature']);
  if (signature !== undefined) takeSignature(state, signature);
}

/** A signature on prose becomes reasoning without words, which is how it goes back. */
function takeSignature(state: State, value: string): void {
  const { log, choice, context } = state;
  const isOnReasoning = state.open?.kind === 'reasoning';
  const block = isOnReasoning && state.open !== null ? state.open.block : openHidden(state);
  log.add({ type: 'reasoning-state', choice, block, state: { family: context.family, kind: 'signature', value } });
  if (isOnReasoning) closeBlock(state);
  else log.add({ type: 'reasoning-end', choice, block });
}

function openHidden({ log, choice }: State): number {
  const block = log.nextBlock();
  log.add({ type: 'reasoning-start', choice, block });
  return block;
}

/** A call comes whole, or begins with its name and is continued by parts without one until a part says no more. */
function takeCall(state: State, call: JsonRecord, signature: string | undefined): void {
  const name = asText(call['name']);
  if (name !== undefined) openCall(state, name, { id: asText(call['id']), args: asRecord(call['args']), signature });
  for (const piece of asArray(call['partialArgs'])) if (state.call !== null) addPartialArgument(state.call.args, asRecord(piece) ?? {});
  if (call['willContinue'] !== true) closeCall(state);
}

type CallFacts = { readonly id: string | undefined; readonly args: JsonRecord | undefined; readonly signature: string | undefined };

function openCall(state: State, name: string, { id, args, signature }: CallFacts): void {
  closeCall(state);
  closeBlock(state);
  const { log, choice, context } = state;
  state.toolCalls += 1;
  const block = log.nextBlock();
  const isCustom = context.customTools.has(name);
  log.add({
    type: 'tool-call-start',
    choice,
    block,
    id: id ?? mintId('call_'),
    name,
    kind: isCustom ? 'custom' : 'function',
    ...(signature === undefined ? {} : { state: { family: context.family, kind: 'signature', value: signature } }),
  });
  state.call = { block, isCustom, args: args ?? createArguments() };
}

function closeCall(state: State): void {
  const { log, choice, call } = state;
  if (call === null) return;
  state.call = null;
  const text = stringifyExactJson(call.args);
  log.add({ type: 'tool-call-delta', choice, block: call.block, argumentsText: call.isCustom ? unwrapCustomInput(text) : text });
  log.add({ type: 'tool-call-end', choice, block: call.block });
}

function takeOpaque(state: State, part: JsonRecord): void {
  closeBlock(state);
  const { log, choice, context } = state;
  const { mimeType, data } = asRecord(part['inlineData']) ?? {};
  if (part['thought'] !== true && typeof mimeType === 'string' && mimeType.startsWith('image/') && typeof data === 'string') {
    log.add({ type: 'image', choice, block: log.nextBlock(), source: { kind: 'base64', mediaType: mimeType, data } });
    return;
  }
  log.add({ type: 'opaque', choice, block: log.nextBlock(), content: { type: 'opaque', family: context.family, raw: part } });
}

function openBlock(state: State, kind: 'text' | 'reasoning'): number {
  if (state.open?.kind === kind) return state.open.block;
  closeBlock(state);
  // What was looked up stands before what was made of it, where both are known.
  if (kind === 'text' && state.isSearchKnown) reportSearch(state, decodeGrounding(state.grounding, ''));
  const { log, choice } = state;
  const block = log.nextBlock();
  state.open = { kind, block };
  if (kind === 'text') log.add({ type: 'text-start', choice, block });
  // What the provider shows of its thinking is a summary.
  else log.add({ type: 'reasoning-start', choice, block, isSummary: true });
  return block;
}

function closeBlock(state: State): void {
  const { log, choice, open } = state;
  if (open === null) return;
  log.add({ type: open.kind === 'text' ? 'text-end' : 'reasoning-end', choice, block: open.block });
  state.open = null;
  state.text = '';
}

/** Sources come with the end of a stream: they are emitted while its text is still open, the search after it. */
function close(state: State): void {
  closeCall(state);
  const { log, choice, open } = state;
  const grounding = decodeGrounding(state.grounding, state.text);
  if (open?.kind === 'text')
    for (const citation of grounding?.citations ?? []) log.add({ type: 'citation', choice, block: open.block, citation });
  closeBlock(state);
  reportSearch(state, grounding);
}

/** Once. */
function reportSearch(state: State, grounding: Grounding | undefined): void {
  if (grounding === undefined || state.isSearchReported) return;
  state.isSearchReported = true;
  const { log, choice, context } = state;
  const block = log.nextBlock();
  const query = grounding.queries.join('; ');
  log.add({ type: 'web-search-start', choice, block, id: mintId('ws_'), query });
  log.add({ type: 'web-search-end', choice, block, query, results: grounding.results });
  state.searches = countSearches(grounding, context.fallbackModel);
}
