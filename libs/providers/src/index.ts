// This room speaks to upstream providers: one data entry for a compatible one, one folder for a native one.
export { createProviderAccounts, type AccountFields, type ProviderAccounts } from './accounts/create-provider-accounts';
export { createAttemptProviders, findOwnAccounts, type AttemptProviders } from './accounts/find-own-accounts';
export * from './calls/dispatch-call';
export * from './calls/dispatch-media-call';
export * from './chat-provider';
export * from './embedding-provider';
export * from './fetched-addresses';
export * from './find-target';
export { measureSeconds } from './media/measure-seconds';
export * from './media-provider';
export * from './provider-directory';
export { createSandboxProvider } from './native';
export { createSseReader, type SseFrame, type SseReader } from './streams/sse-frames';
