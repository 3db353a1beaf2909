// This room makes HTTP servers: hot routes ahead of Express, request ids, body limits, errors, health and drain.
export * from './build-worker-routes';
export * from './check-json-depth';
export * from './create-http-app';
export * from './create-http-server';
export * from './create-request-id';
export * from './health';
export * from './parse-json-body';
export * from './read-body';
export * from './request-scope';
export * from './run-service';
export * from './send-error';
export * from './worker-handler';
