import type { ChatDialect } from '@weir/contracts';
import { CHAT_REQUESTS } from './chat-requests';
import type { DialectRequest } from './dialect-request';
import { MESSAGES_REQUESTS } from './messages-requests';
import { RESPONSES_REQUESTS } from './responses-requests';

/** What only one dialect can say, or says in a way of its own. */
export const DIALECT_REQUESTS: Readonly<Record<ChatDialect, readonly DialectRequest[]>> = {
  'chat-completions': CHAT_REQUESTS,
  responses: RESPONSES_REQUESTS,
  messages: MESSAGES_REQUESTS.map(({ name, body }) => ({ name, body: { max_tokens: 1024, ...body } })),
};
