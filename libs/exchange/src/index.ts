// This library carries one exchange between a caller and a provider: who still waits, the stream in between, and how it ended.
export { checkLosses } from './check-losses';
export type { DrainLimit } from './drain-limit';
export type { ScannerParts } from './guardrails/ask-scanners';
export { createGuardOpener, VERDICT_HEADER } from './guardrails/create-guard-opener';
export { openScanners } from './guardrails/open-scanners';
export type { RequestGuard } from './guardrails/request-guard';
export { openStream, type StreamLane, type StreamOptions } from './open-stream';
export { describeCut, describeFailure, type Outcome, OK, CLIENT_CLOSED } from './outcome';
export { prepareWorker, type WorkerParts } from './prepare-worker';
export { providerTimeHeader } from './provider-time-header';
export type { PumpOptions } from './pump-stream';
export type { StreamConsumer } from './pumped-exchange';
export { totalCost, type RequestCharges } from './request-charges';
export { RequestRun, type RunParts } from './request-run';
export { startProcessReports } from './start-process-reports';
export { runTogether } from './run-together';
export { ClientGone, type WatchedRequest } from './watched-request';
export { writeReplyHead, writeLosses, writeStreamHead, writeUsageSource, sendJson } from './write-reply-head';
