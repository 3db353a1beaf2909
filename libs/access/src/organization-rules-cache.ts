import { GatewayError } from '@weir/errors';
import { LIFETIMES, type Lifetime } from './lifetimes';
import type { OrganizationRules, OrganizationRulesDirectory } from './ports/organization-rules';
import type { KeyRecord } from './ports/principal';
import { createRecordCache, type RecordCache } from './record-cache';

type OrganizationRulesCacheOptions = {
  readonly directory: OrganizationRulesDirectory;
  readonly now: () => number;
  readonly entriesMax?: number;
};

/** Organizations' rules, in memory. One record stays the same object until it is read again, so what is made of it can be kept with it. */
export type OrganizationRulesCache = {
  /** Returns the rules of a cached organization at once; a promise otherwise, which rejects with `dependency_down`. As old as the key may be. */
  find(caller: Pick<KeyRecord, 'organizationId' | 'organization'>): OrganizationRules | Promise<OrganizationRules>;
  /** After a rule of this organization changed. */
  forget(organizationId: string): void;
  forgetAll(): void;
};

export function createOrganizationRulesCache({
  directory,
  now,
  entriesMax = 20_000,
}: OrganizationRulesCacheOptions): OrganizationRulesCache {
  const open = (lifetime: Lifetime): RecordCache<OrganizationRules> =>
    createRecordCache({
      load: (organizationId) => directory.findRules(organizationId).catch(failClosed),
      now,
      lifetimeOf: () => lifetime,
      entriesMax,
    });
  const usual = open(LIFETIMES.usual);
  const strict = open(LIFETIMES.strict);
  return {
    find: ({ organizationId, organization }) => (organization.isStrict === true ? strict : usual).find(organizationId),
    forget: (organizationId) => {
      usual.forgetKey(organizationId);
      strict.forgetKey(organizationId);
    },
    forgetAll: () => {
      usual.forgetAll();
      strict.forgetAll();
    },
  };
}

function failClosed(cause: unknown): never {
  throw new GatewayError('dependency_down', "The organization's rules could not be read at the moment. Try again shortly.", { cause });
}
