import type { GatewayError } from '@weir/errors';
import type { ChatSession } from '../session/chat-session';
import type { OpenExchange } from '../exchange/open-exchange';
import { createReplyContext } from '../exchange/reply-context';
import { setNested, splitFrame } from '../frames/edit-nested';

/**
 * The in-band error of a stream whose beginning the provider wrote itself. In the responses dialect events are numbered
 * and name their response, so the failure has the stream's next number and its id, time and model, and repeats the finished items.
 */
export function encodeFailure(
  session: ChatSession,
  exchange: OpenExchange,
  error: GatewayError,
  begun: { readonly frames: number; readonly firstFrame: string; readonly output: readonly unknown[] },
): string {
  const failure = session.format.createStreamEncoder(createReplyContext(session, exchange)).fail(error);
  if (session.dialect !== 'responses' || begun.frames === 0) return failure;
  const last = splitFrame(failure.trimEnd().split('\n\n').at(-1) ?? '');
  if (last === undefined) return failure;
  const withOutput = setNested(last.data, ['response', 'output'], JSON.stringify(begun.output));
  const numbered = setNested(withOutput, ['sequence_number'], String(begun.frames));
  return `${last.head}data: ${setIdentity(numbered, begun.firstFrame)}\n\n`;
}

/** Where the first event names the response. Only its beginning may be known; quotes inside texts are escaped. */
const IDENTITY = {
  id: /"response"\s*:\s*\{\s*"id"\s*:\s*("[^"\\]+")/,
  created_at: /"created_at"\s*:\s*(\d+)/,
  model: /"model"\s*:\s*("[^"\\]+")/,
} as const;

function setIdentity(data: string, firstFrame: string): string {
  return Object.entries(IDENTITY).reduce((edited, [name, pattern]) => {
    const value = pattern.exec(firstFrame)?.[1];
    return value === undefined ? edited : setNested(edited, ['response', name], value);
  }, data);
}
