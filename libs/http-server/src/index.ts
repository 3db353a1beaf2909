// This library makes HTTP servers: hot routes ahead of Express, request ids, body limits, errors, health, load and drain.

// Routing
export type { Fail, HotHandler, HotRoutes } from './requests/hot-routes';
export type { RequestScope } from './requests/request-scope';
export type { KnownCaller, RequestPriority } from './requests/request-priority';
export { createRequestIdSource } from './requests/create-request-id';
export { readIdempotencyKey, refuseSecondRequest, REPLAYED_HEADER } from './requests/idempotency-key';
export { readQuery, type ForwardedRequest, type WorkerHandler } from './workers/forwarded-request';
export { buildWorkerRoutes } from './workers/build-worker-routes';
export { digestForwarded } from './workers/digest-forwarded-request';
export { createMemoryPassportUses } from './workers/passport-uses';
export { parseJsonBody, readJsonBody, isLargeText, type ParsedBody, REQUEST_BOUNDS } from './bodies/parse-json-body';
export { readBody, receiveBytes } from './bodies/read-body';
export { isForm, receiveBody } from './bodies/receive-body';
export { canonicalJson } from './json/canonical-json';
export { createJsonCheck } from './json/check-json';
export { fingerprintJson, fingerprintLongJson } from './json/fingerprint-json';
export { parseHeldJson } from './json/parse-held-json';
export { takeTurn, yieldEventLoop } from './json/yield-event-loop';
export { createFormReceiver, type FormReceiver } from './forms/create-form-receiver';
export type { FormField, FormFile, ReceivedForm } from './forms/received-form';
export { describeInnerLimits, describeWorkerLimits, describePublicLimits } from './load/service-limits';
export { asksForOverhead, beforeHead, PROVIDER_MS_HEADER } from './observe/report-overhead';
export { addHeader, flushHead } from './connections/reply-response';
export { sendError } from './replies/send-error';
export { createHttpApp } from './server/create-http-app';
export { createWeirServer, listen } from './server/create-http-server';
export { repeatTasks, type Task, type RunningTasks } from './service/repeat-tasks';
export { runService, type ServiceOptions, type RunningService } from './service/run-service';
export { stopOnSignals } from './service/stop-on-signals';
export { createHealth, describeWorkerHealth, DRAINING, type HealthParts } from './service/health';
export { createLentPort } from './service/lent-port';
export { sharePort, type SharedPort } from './service/share-port';
export { startMetricsServer } from './service/start-metrics-server';
export { takePort, checkPort, type TakenPort } from './service/take-port';
export { createNetworkList } from './connections/network-list';
export { noteCallerAddress, readCallerAddress } from './requests/caller-address';
export { mountApiPages } from './api-pages/mount-api-pages';
