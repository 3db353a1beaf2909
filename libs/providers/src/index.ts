// This room speaks to upstream providers: one data entry for a compatible one, one folder for a native one.
export * from './chat-provider';
export * from './embedding-provider';
export * from './provider-directory';
export { createSandboxProvider } from './native';
export { createSseReader, type SseFrame, type SseReader } from './streams/sse-frames';
