import { writeReplyHead, type PumpOptions } from '@weir/exchange';
import type { ChatSession } from '../session/chat-session';
import type { OpenExchange } from './open-exchange';

/** Sends the rest of a reply that no other attempt can replace any more. Undefined where nothing has to be waited for. */
export type SendReply = () => undefined | Promise<void>;

export type SendOptions = Pick<PumpOptions, 'whenDurable' | 'failPoint'>;

/** Sets the headers of a reply, with the model that replies as far as that is known. */
export function writeChatHead(session: ChatSession, { lane, place, served }: OpenExchange): void {
  writeReplyHead(session, lane, place.number - 1, served?.modelId);
}

/** Sends a whole reply when it may go out: `send` what comes after the headers that every reply has. */
export function sendWhole(
  session: ChatSession,
  exchange: OpenExchange,
  { whenDurable, failPoint }: SendOptions,
  send: () => void,
): undefined | Promise<void> {
  writeChatHead(session, exchange);
  failPoint('stream.before_terminal');
  const durable = whenDurable();
  if (durable !== null) return durable.then(send);
  send();
  return undefined;
}
