// This library speaks to upstream providers: one data entry for a compatible one, one folder for a native one.
export {
  createProviderAccounts,
  type AccountFields,
  type ProviderAccounts,
  type ProviderAccountsParts,
} from './accounts/create-provider-accounts';
export { isKeyRefused } from './accounts/is-key-refused';
export { inspectAccount } from './accounts/inspect-account';
export { createAttemptProviders, findOwnAccounts, type AttemptProviders } from './accounts/find-own-accounts';
export * from './calls/dispatch-call';
export * from './calls/dispatch-media-call';
export * from './provider/provider';
export * from './provider/target';
export * from './provider/embedding-provider';
export { chatUsageOf, FailedReply, mediaUsageOf } from './failures/failed-reply';
export { isFailureReport, readInBandFailure } from './failures/in-band-failure';
export { hideKnownSecrets } from './failures/known-secrets';
export { SEARCH_PROVIDERS } from './failures/unsupported';
export * from './provider/fetched-addresses';
export * from './directory/find-target';
export * from './directory/key-settings';
export * from './directory/name-in-traces';
export * from './provider/media-provider';
export * from './directory/provider-directory';
export { createSandboxProvider } from './openai-compatible/create-sandbox-provider';
export type { ChatDeviation } from './openai-compatible/rules/compatible-provider.schema';
export { decodeFinish } from './openai-compatible/decode-finish';
export { readWords } from './openai-compatible/decode-message';
export { addHostedCalls } from './native/openai-responses/hosted-calls';
export * from './token-estimates/estimate-tokens';
export { createSseReader, type SseFrame, type SseReader } from './streams/sse-frames';
