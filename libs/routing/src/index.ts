// This library decides where a request goes, in which order, and when to move on.
export * from './health/create-latency-book';
export * from './health/create-outlier-ejection';
export * from './health/create-retry-budget';
export * from './health/create-route-health';
export * from './health/outcome-header';
export * from './plan-attempts';
export * from './plan-own-keys';
export { POLICY_PREFIX, type SkippedMember } from './resolve/expand-policy';
export type { MeasuredLatency } from './resolve/order-members';
export { NO_ROUTES, readRoutes, type OrganizationRoutes } from './resolve/organization-routes';
export { routeOf } from './health/route-key';
export * from './resolve/routing-map';
export * from './run-attempts';
