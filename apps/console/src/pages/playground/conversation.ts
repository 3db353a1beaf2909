import type { JsonRecord } from './json';

/** A message of chat completions, as it is sent. */
export type Message = JsonRecord & { readonly role: string };

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  /** The arguments, as the model wrote them. */
  readonly text: string;
  readonly isCustom: boolean;
};

export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
  /** USD. */
  readonly cost: number | undefined;
  readonly isEstimated: boolean;
};

export type Failure = { readonly message: string; readonly code?: string; readonly field?: string; readonly status?: number };

/** What the headers of the response said about it. */
export type Served = {
  readonly requestId?: string;
  readonly model?: string;
  readonly provider?: string;
  /** What was left out or changed on the way, in sentences. */
  readonly notes?: readonly string[];
};

export type Reply = {
  /** Who was asked. */
  readonly model: string;
  /** `broken`: it began and did not end; `refused`: there was no reply at all. */
  readonly state: 'running' | 'done' | 'stopped' | 'broken' | 'refused';
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly calls: readonly ToolCall[];
  /** Reasoning as the provider needs it back. */
  readonly details: readonly JsonRecord[];
  readonly finish?: string;
  readonly usage?: Usage;
  /** Exact decimal text of USD, found afterwards for a reply that did not say it; null where no one knows it. */
  readonly lateCost?: string | null;
  readonly failure?: Failure;
  readonly served?: Served;
  readonly firstMs?: number;
  readonly totalMs?: number;
  /** A reply that came from elsewhere, as it was. */
  readonly given?: Message;
};

/** What was sent to a model, and what it replied; without a reply it waits to be sent. */
export type Round = {
  readonly id: string;
  readonly sent: readonly Message[];
  readonly reply?: Reply;
  /** Stands in the first conversation as well: what it has cost is counted there. */
  readonly isCopied?: boolean;
};

/** Whether a reply has cost something that it does not say. */
export function lacksCost({ state, usage, lateCost, served }: Reply): boolean {
  return state !== 'running' && usage?.cost === undefined && lateCost === undefined && served?.requestId !== undefined;
}

export function beginReply(model: string): Reply {
  return { model, state: 'running', text: '', reasoning: '', refusal: '', calls: [], details: [] };
}

/** Whether a round is a part of the conversation from here on. A failed one is shown, and not sent again. */
export function isSentOn({ reply }: Round): boolean {
  if (reply === undefined || reply.state === 'done' || reply.state === 'running') return true;
  return reply.state !== 'refused' && reply.text !== '';
}

/** Calls whose results the model waits for. */
export function findOpenCalls(rounds: readonly Round[]): readonly ToolCall[] {
  const last = rounds.findLast(isSentOn);
  return last?.reply?.state === 'done' ? last.reply.calls : [];
}

/** The conversation, as the next request sends it. */
export function listMessages(rounds: readonly Round[]): Message[] {
  return rounds.filter(isSentOn).flatMap(({ sent, reply }) => {
    if (reply === undefined || reply.state === 'running') return sent;
    return [...sent, reply.given ?? toMessage(reply)];
  });
}

/** Of a reply that did not end only the text goes on: a call may lack half of its arguments. */
function toMessage({ state, text, refusal, calls, details }: Reply): Message {
  const isWhole = state === 'done';
  return {
    role: 'assistant',
    content: text === '' && isWhole && (calls.length > 0 || refusal !== '') ? null : text,
    ...(refusal === '' ? {} : { refusal }),
    ...(isWhole && details.length > 0 ? { reasoning_details: details } : {}),
    ...(isWhole && calls.length > 0 ? { tool_calls: calls.map(toCall) } : {}),
  };
}

function toCall({ id, name, text, isCustom }: ToolCall): JsonRecord {
  return isCustom ? { id, type: 'custom', custom: { name, input: text } } : { id, type: 'function', function: { name, arguments: text } };
}
