import type { ChatDialect } from '@weir/contracts';
import { NOTHING_REPORTED, type ReportedReply } from '../reported-reply';

/** One reply as it came over the wire to a caller. */
export type Received = {
  readonly dialect: ChatDialect;
  readonly isStream: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A reply with its cost as the caller sees it. */
export type SeenReply = ReportedReply & { readonly cost: unknown };

export const NO_REPLY: SeenReply = { ...NOTHING_REPORTED, cost: undefined };

/** The transport of an official client that answers every call with the reply at hand. */
export function answeringWith({ status, headers, body }: Received): () => Promise<Response> {
  return () => Promise.resolve(new Response(body, { status, headers }));
}
