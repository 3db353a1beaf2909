// This library decides where a request goes, in which order, and when to move on.
export {
  createRouteHealth,
  type AttemptOutcome,
  type HealthDescription,
  type RouteHealth,
  type RouteState,
} from './health/create-route-health';
export { encodeOutcome, recordOutcomes, OUTCOMES_HEADER } from './health/outcome-header';
export { createPacing, type Pacing } from './pacing/create-pacing';
export type { AccountMap } from './accounts/account-map';
export type { AttemptPlace, AttemptRunner, AttemptsToRun, FailureNext, RunWatcher } from './attempt-runner';
export { planAccounts } from './plan-accounts';
export { planAttempts, type AttemptPlan } from './plan-attempts';
export { orderTries } from './pick-next';
export { widenMap, planOwnKeys, type OwnKey } from './plan-own-keys';
export { POLICY_PREFIX, type OrderedPolicy, type PlanTrace } from './resolve/expand-policy';
export { NO_ROUTES, readRoutes, type OrganizationRoutes } from './resolve/organization-routes';
export type { RoutingMap } from './resolve/routing-map';
export { createAttemptRunner } from './run-attempts';
