// This room speaks to upstream providers: one data entry for a compatible one, one folder for a native one.
export { createProviderAccounts, type ProviderAccounts } from './accounts/create-provider-accounts';
export * from './chat-provider';
export * from './embedding-provider';
export * from './fetched-addresses';
export * from './provider-directory';
export { createSandboxProvider } from './native';
export { createSseReader, type SseFrame, type SseReader } from './streams/sse-frames';
