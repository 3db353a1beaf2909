// This app serves chat completions, responses, messages and embeddings: decode, run attempts, encode, settle.
export type { ChatSession } from './session/chat-session';
export { chooseLane, type Lane } from './calls/choose-lane';
export { RequestMost } from './session/request-most';
export { composeChatTranslator } from './compose';
export { chatTranslatorEnv } from './env';
export { openScanners } from '@weir/exchange';
