// This room serves chat completions, responses, messages and embeddings: decode, run attempts, encode, settle.
export { composeChatTranslator, type ChatTranslatorParts } from './compose';
export { upstreamSettings } from './env';
export { openMetering, type Metering, type MeteringOptions } from './till/open-metering';
