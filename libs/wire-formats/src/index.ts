// This room decodes and encodes the chat dialects that clients speak.
export * from './wire-format';
export { chatCompletionsFormat } from './chat-completions';
export { messagesFormat } from './messages';
