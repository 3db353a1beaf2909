// This app serves chat completions, responses, messages and embeddings: decode, run attempts, encode, settle.
export { composeChatTranslator, type ChatTranslatorParts } from './compose';
export { chatTranslatorEnv, upstreamSettings } from './env';
export { openScanners } from '@weir/exchange';
