import type { ChatDialect } from '@weir/contracts';
import { chatCompletionsFormat } from './chat-completions';
import { messagesFormat } from './messages';
import { responsesFormat } from './responses';
import type { WireFormat } from './dialect/wire-format';

/** The address book: every dialect that clients speak. */
export const wireFormats: Readonly<Record<ChatDialect, WireFormat>> = {
  'chat-completions': chatCompletionsFormat,
  responses: responsesFormat,
  messages: messagesFormat,
};
