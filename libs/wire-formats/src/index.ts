// This library decodes and encodes the chat dialects that clients speak.
export { chatCompletionsFormat } from './chat-completions';
export { encodeChatFinish, nameNative } from './chat-completions/encode-finish';
export { completionsFormat, translateCompletionsBody } from './completions';
export type { ChatStreamEncoder, PricedUsage, ReplyContext, WireFormat } from './dialect/wire-format';
export { nameField } from './fields/name-field';
export { encodeUsageWithCost } from './reply/encode-usage-with-cost';
export { decodeStateTag, encodeStateTag, hasStateTag, type TaggedState } from './state/state-tag';
export { decodeStreamFailure } from './stream/decode-stream-failure';
export { wireFormats } from './wire-formats';
