import { GatewayError } from '@weir/errors';
import type { OrganizationRules, OrganizationRulesDirectory } from './ports/organization-rules';
import { createRecordCache } from './record-cache';

export type OrganizationRulesCacheOptions = {
  readonly directory: OrganizationRulesDirectory;
  readonly now: () => number;
  readonly entriesMax?: number;
};

/** Organizations' rules, in memory. One record stays the same object until it is read again, so what is made of it can be kept with it. */
export type OrganizationRulesCache = {
  /** Answers at once for a cached organization; a promise otherwise, which rejects with `dependency_down`. */
  find(organizationId: string): OrganizationRules | Promise<OrganizationRules>;
  /** After a rule of this organization changed. */
  forget(organizationId: string): void;
  forgetAll(): void;
};

/** As long as keys are: without the database the gateway goes on with both. */
const LIFETIME = { freshMs: 10_000, staleMsMax: 15 * 60_000 };

export function createOrganizationRulesCache({
  directory,
  now,
  entriesMax = 20_000,
}: OrganizationRulesCacheOptions): OrganizationRulesCache {
  const cache = createRecordCache({
    load: (organizationId) => directory.findRules(organizationId).catch(failClosed),
    now,
    lifetimeOf: () => LIFETIME,
    entriesMax,
  });
  return {
    find: (organizationId) => cache.find(organizationId),
    forget: (organizationId) => cache.forgetKey(organizationId),
    forgetAll: () => cache.forgetAll(),
  };
}

function failClosed(cause: unknown): never {
  throw new GatewayError('dependency_down', "The organization's rules could not be read at the moment. Try again shortly.", { cause });
}
