// This app is the gateway's only public entry: it admits a request once and forwards it to a worker.
export { composeEdgeRouter, type EdgeRouter } from './compose';
export { createLeaseBook, type LeaseBook } from './admit/holds/lease-book';
export { createRequestHolds } from './admit/holds/request-holds';
export { createInProcessForward, type ForwardToService } from './forward/forward-in-process';
export { openRuleParts } from './open-rule-parts';
export { edgeRouterEnv } from './env';
