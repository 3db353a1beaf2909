// This library decodes and encodes the chat dialects that clients speak.
export { encodeUsageWithCost } from './encode-usage-with-cost';
export * from './wire-format';
export * from './wire-formats';
export { chatCompletionsFormat } from './chat-completions';
export { encodeChatFinish } from './chat-completions/encode-finish';
export { completionsFormat, translateCompletionsBody } from './completions';
export { messagesFormat } from './messages';
export { responsesFormat } from './responses';
export { nameField } from './fields/name-field';
export { decodeStateTag, encodeStateTag, hasStateTag, type TaggedState } from './state/state-tag';
export { checkStreamGrammar } from './grammar/check-stream-grammar';
export { createSampleEvents, createSampleUsage, type SampleOptions } from './grammar/create-sample-events';
