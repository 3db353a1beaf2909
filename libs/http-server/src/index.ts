// This library makes HTTP servers: hot routes ahead of Express, request ids, body limits, errors, health, load and drain.

// Routing
export type { HotHandler, HotRoute, HotRoutes } from './requests/hot-routes';
export { createRouteFinder, type FoundRoute } from './requests/find-route';
export * from './requests/request-scope';
export { REQUEST_PRIORITIES, type RequestPriority } from './requests/request-priority';
export * from './requests/create-request-id';
export * from './requests/idempotency-key';

// Workers behind an edge
export * from './workers/forwarded-request';
export * from './workers/build-worker-routes';
export * from './workers/digest-forwarded-request';
export * from './workers/passport-uses';

// Bodies, JSON and forms
export * from './bodies/parse-json-body';
export * from './bodies/read-body';
export * from './bodies/receive-body';
export * from './json/canonical-json';
export { createJsonCheck, type JsonCheck } from './json/check-json';
export * from './json/digest-json';
export type { JsonBounds } from './json/scan-json';
export * from './json/yield-event-loop';
export * from './forms/create-form-receiver';
export * from './forms/form-rules';
export * from './forms/received-form';

// Load and slow clients
export * from './load/load-shedder';
export * from './load/service-limits';
export { SLOW_CLIENT_LIMITS, type SlowClientLimits } from './connections/slow-client-watch';

// Observation and sending
export * from './observe/report-overhead';
export { sendError } from './replies/send-error';

// Servers and the life of a process
export * from './server/create-http-app';
export * from './server/create-http-server';
export * from './service/health';
export * from './service/repeat-tasks';
export * from './service/run-service';
export * from './service/stop-on-signals';
export * from './service/take-port';
export * from './api-pages/mount-api-pages';
