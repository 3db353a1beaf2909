// This library is the only code that opens outbound HTTP: to providers and to our own workers.
export * from './upstream-transport';
export * from './create-upstream-transport';
export * from './encode-multipart';
export * from './is-idle-timeout';
export * from './read-limited';
export * from './create-cancellation';
export * from './read-coalescer';
export { ResponseBody, type UpstreamBody } from './response-body';
