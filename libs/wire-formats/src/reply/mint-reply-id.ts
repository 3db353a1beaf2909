import type { ReplyContext } from '../dialect/wire-format';

/** Keeps the provider's id when it looks like the dialect's own, else makes one from the request's: the same each time. */
export function mintReplyId(providerId: string, prefix: string, context: ReplyContext): string {
  return providerId.startsWith(prefix) ? providerId : `${prefix}${requestCore(context)}`;
}

/** The request id as it can stand inside other ids. */
export function requestCore(context: ReplyContext): string {
  return context.requestId.replace(/^req_/, '').replace(/[^A-Za-z0-9]/g, '');
}
