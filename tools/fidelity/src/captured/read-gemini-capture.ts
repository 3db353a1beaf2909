import { listOnce, NO_TOKENS, EMPTY_REPLY, type StopClass, type PlainCall, type PlainReply, type PlainUsage } from '../reading/plain-reply';
import { assemblePartialArguments } from './assemble-partial-arguments';
import { BROKEN, type RawEvent } from './raw-events';
import { at, countOf, isRaw, raw, rawList, textOf, type Raw } from '../reading/raw-json';

/** `generateContent`, whole or in chunks: the first candidate of each. */
export function readGeminiCapture(events: readonly RawEvent[], isStream: boolean): PlainReply {
  const chunks = events.filter((event): event is Raw => typeof event !== 'symbol');
  const candidates = chunks.flatMap((chunk) => rawList(chunk['candidates']).slice(0, 1));
  const finish = candidates.map((candidate) => textOf(candidate['finishReason'])).findLast((word) => word !== '');
  const reply = buildReply(chunks, candidates, finish ?? '');
  if (events.includes(BROKEN) || chunks.some((chunk) => isRaw(chunk['error']))) return { ...reply, ending: 'failed', stop: null };
  if (isBlocked(chunks, candidates)) return { ...reply, stop: 'filter' };
  if (finish !== undefined || (!isStream && candidates.length > 0)) return reply;
  return isStream ? { ...reply, ending: 'failed', stop: null } : { ...EMPTY_REPLY, ending: 'unreadable', status: 502 };
}

/** A blocked prompt has a reason, or feedback in place of any candidate. */
function isBlocked(chunks: readonly Raw[], candidates: readonly Raw[]): boolean {
  const feedback = chunks.map((chunk) => chunk['promptFeedback']).filter(isRaw);
  return feedback.some((one) => textOf(one['blockReason']) !== '') || (candidates.length === 0 && feedback.length > 0);
}

function buildReply(chunks: readonly Raw[], candidates: readonly Raw[], finish: string): PlainReply {
  const parts = candidates.flatMap((candidate) => rawList(at(candidate, 'content', 'parts')));
  const calls = readCalls(parts);
  const usages = chunks.map((chunk) => chunk['usageMetadata']).filter((usage) => isRaw(usage) && 'promptTokenCount' in usage);
  return {
    ...EMPTY_REPLY,
    text: parts.map((part) => (part['thought'] === true ? '' : textOf(part['text']))).join(''),
    reasoning: parts.map((part) => (part['thought'] === true ? textOf(part['text']) : '')).join(''),
    calls,
    stop: readStop(finish, calls.length > 0),
    usage: readUsage(usages.at(-1)),
    citations: readGrounding(raw(candidates.map((candidate) => candidate['groundingMetadata']).findLast(isRaw))),
  };
}

/** A call comes whole, or its name first and its arguments in pieces by their places. */
function readCalls(parts: readonly Raw[]): PlainCall[] {
  const calls: PlainCall[] = [];
  let open: { name: string; pieces: Raw[] } | null = null;
  const close = (): void => {
    if (open !== null) calls.push(toCall(open.name, assemblePartialArguments(open.pieces)));
    open = null;
  };
  for (const part of parts) {
    const call = part['functionCall'];
    if (!isRaw(call)) continue;
    const pieces = rawList(call['partialArgs']);
    const name = textOf(call['name']);
    if (name !== '') close();
    if (name !== '' && (call['willContinue'] === true || pieces.length > 0)) open = { name, pieces };
    else if (name !== '') calls.push(toCall(name, raw(call['args'])));
    else open?.pieces.push(...pieces);
    if (call['willContinue'] !== true) close();
  }
  close();
  return calls;
}

function toCall(name: string, args: Raw): PlainCall {
  return { name, argumentsText: JSON.stringify(args), kind: 'function' };
}

const FILTERED = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE/;

function readStop(word: string, hasCalls: boolean): StopClass {
  if (word === 'MAX_TOKENS') return 'length';
  if (FILTERED.test(word)) return 'filter';
  return hasCalls ? 'tools' : 'stop';
}

function readGrounding(grounding: Raw): string[] {
  const chunks = rawList(grounding['groundingChunks']);
  const cited = rawList(grounding['groundingSupports']).flatMap((support) => support['groundingChunkIndices'] ?? []);
  return listOnce(
    cited.map((index) => {
      const chunk = raw(chunks[countOf(index)]);
      return at(chunk, 'web', 'uri') ?? at(chunk, 'maps', 'uri') ?? at(chunk, 'retrievedContext', 'uri');
    }),
  );
}

function readUsage(value: unknown): PlainUsage | null {
  if (!isRaw(value)) return null;
  const read = countOf(value['cachedContentTokenCount']);
  const reasoning = countOf(value['thoughtsTokenCount']);
  return {
    ...NO_TOKENS,
    uncached: countOf(value['promptTokenCount']) + countOf(value['toolUsePromptTokenCount']) - read,
    read,
    output: countOf(value['candidatesTokenCount']) + reasoning,
    reasoning,
  };
}
