// This library carries one exchange between a caller and a provider: who still waits, the stream in between, and how it ended.
export * from './check-losses';
export * from './drain-limit';
export * from './guardrails/ask-scanners';
export * from './guardrails/create-guard-opener';
export * from './guardrails/open-scanners';
export * from './guardrails/request-guard';
export * from './leave-stream';
export * from './note-attempts';
export * from './open-stream';
export * from './outcome';
export * from './prepare-worker';
export * from './provider-time-header';
export * from './pump-stream';
export * from './request-charges';
export * from './run-together';
export * from './watch-request';
export * from './write-reply-head';
