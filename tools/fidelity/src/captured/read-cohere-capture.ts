import { listOnce, NO_TOKENS, EMPTY_REPLY, type StopClass, type PlainReply, type PlainUsage } from '../reading/plain-reply';
import { BROKEN, type RawEvent } from './raw-events';
import { at, countOf, isRaw, raw, rawList, textOf, type Raw } from '../reading/raw-json';

type Call = { name: string; argumentsText: string; kind: 'function' };

/** Chat of version 2, whole or as events. The plan before the tool calls counts as reasoning. */
export function readCohereCapture(events: readonly RawEvent[], isStream: boolean): PlainReply {
  if (!isStream) {
    const reply = raw(events[0]);
    const message = raw(reply['message']);
    const content = rawList(message['content']);
    return buildReply({
      text: content.map((part) => textOf(part['text'])).join(''),
      reasoning: textOf(message['tool_plan']) + content.map((part) => textOf(part['thinking'])).join(''),
      calls: rawList(message['tool_calls']).map(readCall),
      citations: rawList(message['citations']),
      stop: reply['finish_reason'],
      usage: reply['usage'],
    });
  }
  const found: Found = { text: '', reasoning: '', calls: [], citations: [], stop: undefined, usage: undefined };
  for (const event of events) {
    if (event === BROKEN) return { ...buildReply(found), ending: 'failed', stop: null };
    if (typeof event !== 'symbol') addEvent(found, event);
  }
  return found.stop === undefined ? { ...buildReply(found), ending: 'failed', stop: null } : buildReply(found);
}

type Found = { text: string; reasoning: string; calls: Call[]; citations: Raw[]; stop: unknown; usage: unknown };

function addEvent(found: Found, event: Raw): void {
  const message = raw(at(event, 'delta', 'message'));
  switch (event['type']) {
    case 'content-start':
    case 'content-delta':
      found.text += textOf(at(message, 'content', 'text'));
      found.reasoning += textOf(at(message, 'content', 'thinking'));
      return;
    case 'tool-plan-delta':
      found.reasoning += textOf(message['tool_plan']);
      return;
    case 'tool-call-start':
      found.calls.push(readCall(raw(message['tool_calls'])));
      return;
    case 'tool-call-delta': {
      const call = found.calls.at(-1);
      if (call !== undefined) call.argumentsText += textOf(at(message, 'tool_calls', 'function', 'arguments'));
      return;
    }
    case 'citation-start':
      found.citations.push(raw(message['citations']));
      return;
    case 'message-end':
      found.stop = at(event, 'delta', 'finish_reason');
      found.usage = at(event, 'delta', 'usage');
      return;
    default:
  }
}

function readCall(call: Raw): Call {
  return {
    name: textOf(at(call, 'function', 'name')),
    argumentsText: textOf(at(call, 'function', 'arguments')),
    kind: 'function',
  };
}

function buildReply(found: Found): PlainReply {
  const addresses = listOnce(
    found.citations.flatMap((citation) => rawList(citation['sources']).map((source) => at(source, 'document', 'url') ?? at(source, 'url'))),
  );
  return {
    ...EMPTY_REPLY,
    text: found.text,
    reasoning: found.reasoning,
    calls: found.calls,
    stop: readStop(found.stop),
    usage: readUsage(found.usage),
    citations: addresses,
    hasOtherCitations: found.citations.length > 0 && addresses.length === 0,
  };
}

const STOPS: Readonly<Record<string, StopClass>> = {
  MAX_TOKENS: 'length',
  ERROR_LIMIT: 'length',
  TOOL_CALL: 'tools',
  ERROR_TOXIC: 'filter',
  ERROR: 'error',
};

function readStop(word: unknown): StopClass {
  return STOPS[textOf(word)] ?? 'stop';
}

/** What the provider bills; where it reports no billed units, what went through the model, of which some was cached. */
function readUsage(value: unknown): PlainUsage | null {
  const billed = at(value, 'billed_units');
  if (isRaw(billed)) return { ...NO_TOKENS, uncached: countOf(billed['input_tokens']), output: countOf(billed['output_tokens']) };
  const tokens = at(value, 'tokens');
  if (!isRaw(tokens)) return null;
  const read = countOf(at(value, 'cached_tokens'));
  return { ...NO_TOKENS, uncached: countOf(tokens['input_tokens']) - read, read, output: countOf(tokens['output_tokens']) };
}
