import type { GatewayError } from '@weir/errors';
import type { ChatSession } from '../chat/chat-session';
import type { OpenExchange } from '../chat/open-exchange';
import { createReplyContext } from '../chat/reply-context';
import { setNested, splitFrame } from './edit-nested';

/**
 * The in-band error of a stream whose beginning the provider wrote itself. In the responses dialect events are numbered
 * and name their response, so the failure goes on with the stream's own number and id, and tells again what was finished.
 */
export function encodeFailure(
  { session, exchange }: { session: ChatSession; exchange: OpenExchange },
  error: GatewayError,
  begun: { readonly frames: number; readonly firstFrame: string; readonly output: readonly unknown[] },
): string {
  const failure = session.format.createStreamEncoder(createReplyContext(session, exchange)).fail(error);
  if (session.dialect !== 'responses' || begun.frames === 0) return failure;
  const last = splitFrame(failure.trimEnd().split('\n\n').at(-1) ?? '');
  if (last === undefined) return failure;
  const told = setNested(last.data, ['response', 'output'], JSON.stringify(begun.output));
  const numbered = setNested(told, ['sequence_number'], String(begun.frames));
  const id = readResponseId(begun.firstFrame);
  return `${last.head}data: ${id === undefined ? numbered : setNested(numbered, ['response', 'id'], JSON.stringify(id))}\n\n`;
}

function readResponseId(frame: string): string | undefined {
  const id = /"response"\s*:\s*\{\s*"id"\s*:\s*"([^"\\]+)"/.exec(frame)?.[1];
  return id;
}
