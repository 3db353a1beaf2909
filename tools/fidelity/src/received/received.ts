import type { ChatDialect } from '@weir/contracts';
import { EMPTY_REPLY, type PlainReply } from '../reading/plain-reply';

/** One reply as it came over the wire to a caller. */
export type Received = {
  readonly dialect: ChatDialect;
  readonly isStream: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A reply with its cost as the caller sees it. */
export type SeenReply = PlainReply & { readonly cost: unknown };

export const NO_REPLY: SeenReply = { ...EMPTY_REPLY, cost: undefined };

/** A transport for an official client that returns the given response to every request. */
export function replyingWith({ status, headers, body }: Received): () => Promise<Response> {
  return () => Promise.resolve(new Response(body, { status, headers }));
}
