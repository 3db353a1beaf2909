// This library knows how much is left: money holds in every scope, request rates, the free-model day.
export { createCounterOwner, refuseUncounted, shareCounters, waitForCounters, type CounterOwner } from './owner/counter-owner';
export type { CounterOwnerStore, OwnerAhead, OwnerAnswer, OwnerClaim, OwnerHolder } from './owner/counter-owner-store';
export { boundChatUsage, boundWholeOutput, boundEmbeddingTokens, type ChatMost } from './estimate/bound-usage';
export { boundRequest, type BoundAttempt, type BoundedRequest, CLAMPED_TOKENS_MIN } from './estimate/bound-request';
export { fitUsage } from './estimate/fit-usage';
export { measurePrompt } from './estimate/measure-prompt';
export { boundMediaUsage, findMostUsage } from './estimate/media/most-usage';
export { measureMedia, type MediaFacts } from './estimate/media/measure-media';
export { checkPricedMembers } from './estimate/priced/check-priced-members';
export { IMAGES_MAX, PRICED_MEMBERS } from './estimate/priced/priced-members';
export { readAskedOutput, readAskedImages, type AskedOutput, OUTPUT_LIMITS } from './estimate/read-asked-output';
export {
  encodeAlertNotice,
  formatAlertAmount,
  type AlertDetails,
  type AlertKind,
  type AlertNotice,
  type AlertScope,
  type AlertUnit,
} from './alerts/alert-notice';
export { encodeAlertEmail, type AlertEmail } from './alerts/encode-email';
export { encodeSlackMessage } from './alerts/encode-slack-message';
export { findAnomaly, listComparedHours, type AnomalySensitivity } from './alerts/find-anomaly';
export { planRedelivery, DELIVERY_ATTEMPTS_MAX } from './alerts/plan-redelivery';
export { signWebhook } from './alerts/sign-webhook';
export { createMemoryFreeModelDays } from './free-models/create-memory-free-model-days';
export type { FreeModelDay, FreeSlot, FreeModelDays, FreeSlots, CountFreeSlots } from './free-models/free-model-days';
export { freeModelLimit, refuseFreeModel, usesFreeSlot, findFreeSlot, type SlottedRequest } from './free-models/free-model-limit';
export { createMemoryHoldStore } from './holds/memory/create-memory-hold-store';
export {
  type HoldStore,
  type HoldKey,
  type SettledHold,
  type ReserveLimit,
  type ReserveRequest,
  type ReserveAnswer,
  type ScopeBase,
  type ScopeConfirmation,
  type ScopeState,
  HoldsUnavailableError,
} from './holds/hold-store';
export type { HoldTruth } from './holds/hold-truth';
export { createLimitPlanner, planLimits, type LimitPolicy, type LimitPlan } from './rules/plan-limits';
export {
  isConcurrent,
  isLimitScope,
  measureOfScope,
  nameLimitScope,
  parseLimitScope,
  limitScopeExpiry,
  readScopeStep,
  type LimitScopeParts,
  type ScopeStep,
} from './holds/limit-scope';
export { spendOfEvent, spentInScope, spentInScopes } from './holds/spent-in-scope';
export { monthlyScope, parseScope, scopeExpiry, BALANCE_SCOPE } from './holds/scope-name';
export { createFallbackRateLimiter } from './rates/create-fallback-rate-limiter';
export { createMemoryRateLimiter } from './rates/create-memory-rate-limiter';
export { intervalUs, toVerdict } from './rates/decide-rate';
export { encodeRateHeaders, formatDuration } from './rates/encode-rate-headers';
export type { RateLimiter, RateVerdict } from './rates/rate-limiter';
export { bindRules, type BoundRule, type LimitedPlan } from './rules/bind-rules';
export { digestPartition } from './rules/digest-partition';
export { amountFor, leastFor } from './rules/limit-amounts';
export { amountOf, readLimitRules, type LimitRule } from './rules/limit-rule';
export { planRules } from './rules/plan-rules';
export type { LimitKind, PlannedLimit, PlannedRule } from './rules/planned-limit';
export { createRecordedPayments, type TopUpCharge, type PaymentResult, type PaymentProvider } from './top-ups/payment-provider';
export { planTopUp, topUpPauseMs, type TopUpSettings, type TopUpPlan } from './top-ups/plan-top-up';
export { findWindow } from './windows/find-window';
