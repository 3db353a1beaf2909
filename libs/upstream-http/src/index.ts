// This library is the only code that opens outbound HTTP: to providers and to our own workers.
export type { ConnectionNotes, UpstreamCall, UpstreamResponse, UpstreamTransport } from './upstream-transport';
export { createUpstreamTransport } from './create-upstream-transport';
export { encodeMultipart, type SentPart, type EncodedForm } from './encode-multipart';
export { isIdleTimeout } from './is-idle-timeout';
export { readLimited, readLimitedAs, type WholeReader } from './read-limited';
export { createCancellation, type CancelSignal } from './create-cancellation';
export { createReadCoalescer, type ReadCoalescer } from './read-coalescer';
export { ResponseBody, type UpstreamBody } from './response-body';
export { openUpstream } from './open-upstream';
