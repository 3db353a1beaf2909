// This app serves chat completions, responses, messages and embeddings: decode, run attempts, encode, settle.
export type { ChatSession } from './chat/chat-session';
export { chooseLane, type Lane } from './chat/choose-lane';
export { describeMost } from './chat/describe-most';
export { composeChatTranslator, type ChatTranslatorParts } from './compose';
export { chatTranslatorEnv, upstreamSettings } from './env';
export { openScanners } from '@weir/exchange';
