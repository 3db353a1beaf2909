import type { KeyRecord, OrganizationRules } from '@weir/access';
import type { Attempt, Modality } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { bindRules, readLimitRules, type BoundRule, type LimitRule } from '@weir/limits';
import { createPatternMatcher } from '@weir/model-catalog';

type BoundCall = { readonly key: KeyRecord; readonly modality: Modality; readonly attempts: readonly Attempt[] };

const NONE: readonly BoundRule[] = [];

/** The organization's limits that can bind a call; most have none. */
export function bindLimits(rules: Pick<OrganizationRules, 'limits'>, call: BoundCall): readonly BoundRule[] {
  return rules.limits.length === 0 ? NONE : bindRules(readLimits(rules, call.key), call);
}

/**
 * Throws `dependency_down` where a limit cannot be read: a newer version of the gateway wrote it. To pass over it would be to lift
 * it in silence.
 */
export function readLimits({ limits }: Pick<OrganizationRules, 'limits'>, { organization }: KeyRecord): readonly LimitRule[] {
  const options = { createMatcher: createPatternMatcher, timeZone: organization.timeZone ?? 'UTC' };
  let read: readonly LimitRule[];
  try {
    read = readLimitRules(limits, options);
  } catch (cause) {
    throw refuseUnread(cause);
  }
  if (read.length < limits.length) throw refuseUnread(new Error('a limit has a scope, measure, window or action that is not known here'));
  return read;
}

function refuseUnread(cause: unknown): GatewayError {
  return new GatewayError(
    'dependency_down',
    'A limit of the organization cannot be read by this version of the gateway, so its requests are not served. Ask an administrator to remove the limit, or to bring the gateway up to date.',
    { cause },
  );
}
