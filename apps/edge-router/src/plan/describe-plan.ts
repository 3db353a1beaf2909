import type { Attempt } from '@weir/contracts';
import { formatUsd } from '@weir/pricing';
import { orderTries, type OrderedPolicy, type RouteHealth, type RouteState } from '@weir/routing';
import type { Verdict } from '../admit/decide-request';
import { amountOfLimit, formatAmount, namePlannedLimit } from '../admit/holds/describe-limit';
import type { PlannedRequest } from './plan-request';

type Health = Pick<RouteHealth, 'look' | 'latencyOf'> | undefined;

/** A plan as callers see it. Amounts are USD as exact decimal text. */
export function describePlan(planned: PlannedRequest, health: Health): object {
  const { key, endpoint, atMs, verdict, leftOut } = planned;
  return {
    object: 'plan',
    planned_at: new Date(atMs).toISOString(),
    endpoint: endpoint.id,
    api_key: { id: key.apiKeyId, name: key.name, group_id: key.groupId, user_id: key.userId },
    ...describeOutcome(planned),
    attempts: describeAttempts(verdict, health),
    left_out: leftOut.map(({ id, policyId, code, message }) => ({ model: id, policy: policyId, code, message })),
    orders: planned.orders.map((ordered) => describeOrder(ordered, planned.isStream, health)),
    ...describeBounds(verdict),
    requests_per_minute: key.userId === null ? null : key.memberRateLimitRpm,
    ...describeRules(verdict),
    ...describeMetadata(planned),
  };
}

function describeOutcome({ verdict, refusal }: PlannedRequest): object {
  return {
    model: verdict?.modelId ?? null,
    fallback_model: verdict?.fallbackModel ?? null,
    allowed: refusal === null,
    refusal: refusal === null ? null : { code: refusal.code, status: refusal.status, message: refusal.message },
    steady: verdict?.plan?.isSteady ?? null,
  };
}

function describeBounds(verdict: Verdict | null): object {
  const bounded = verdict?.bounded ?? null;
  return {
    cost_max: bounded === null ? null : formatUsd(bounded.worstPico),
    max_tokens_clamped: verdict?.preview?.clampedTokens ?? null,
    limits: describeLimits(verdict),
  };
}

function describeRules(verdict: Verdict | null): object {
  const guardrails = verdict?.ruling?.guardrails.guardrails ?? [];
  return {
    data_rules: describeDataRules(verdict),
    guardrails: guardrails.map(({ id, name, action, stage }) => ({ id, name, action, stage })),
  };
}

function describeMetadata({ metadata }: PlannedRequest): object {
  return { labels: metadata?.extra ?? {}, end_user: metadata?.endUserId ?? null, trace_id: metadata?.traceId ?? null };
}

/** In the order in which they are made, by the rule of the code that makes them. */
function describeAttempts(verdict: Verdict | null, health: Health): object[] {
  const places = verdict?.places ?? [];
  const states = places.map(({ plan }): RouteState => health?.look(plan) ?? 'ready');
  return orderTries(places.length, (index) => states[index] === 'ready').flatMap((index) => {
    const place = places[index];
    return place === undefined ? [] : [{ ...describePlace(place), health: states[index] ?? 'ready' }];
  });
}

function describePlace({ plan, bounded }: Verdict['places'][number]): object {
  const { promptTokens = 0, outputTokens = 0 } = bounded.bounds[0] ?? {};
  // Other modalities are bounded by the units of their prices.
  const isByTokens = plan.prices.kind === 'chat';
  return {
    model: plan.modelId,
    provider: plan.providerId,
    region: plan.region,
    account: plan.isByok ? 'organization' : 'gateway',
    provider_credential: describeCredential(plan),
    why: plan.why ?? null,
    price_version: plan.prices.version,
    input_tokens_max: isByTokens ? promptTokens : null,
    output_tokens_max: isByTokens ? outputTokens : null,
    cost_max: formatUsd(bounded.worstPico),
  };
}

function describeCredential({ credentialId, credentialName }: Attempt): object | null {
  return credentialId === undefined ? null : { id: credentialId, name: credentialName ?? null };
}

function describeOrder({ policyId, strategy, reason, members }: OrderedPolicy, isStream: boolean, health: Health): object {
  return {
    policy: policyId,
    strategy,
    reason,
    members: members.map(({ id, weight, attempt }) => {
      const { meanMs, samples } = health?.latencyOf(attempt, isStream) ?? { meanMs: 0, samples: 0 };
      return { model: id, weight, first_byte_ms: samples > 0 ? Math.round(meanMs) : null };
    }),
  };
}

/** The one that binds is the one with the least left in its own unit. */
function describeLimits(verdict: Verdict | null): object[] {
  const limits = verdict?.preview?.limits ?? [];
  const places = limits.map(({ limit, remaining }) => ({ named: namePlannedLimit(limit), limit, remaining }));
  const isLeast = ({ named, remaining }: (typeof places)[number]): boolean =>
    remaining !== null &&
    places.every((other) => other.named.measure !== named.measure || other.remaining === null || other.remaining >= remaining);
  return places.map((place) => ({
    ...place.named,
    limit: formatAmount(place.named.measure, amountOfLimit(place.limit)),
    remaining: place.remaining === null ? null : formatAmount(place.named.measure, place.remaining < 0n ? 0n : place.remaining),
    binds: isLeast(place),
  }));
}

function describeDataRules(verdict: Verdict | null): object | null {
  const data = verdict?.ruling?.data;
  if (data === undefined) return null;
  return { data_residency: data.residency, zero_data_retention: data.isZeroRetention, data_used_for_training: data.isTrainingAllowed };
}
