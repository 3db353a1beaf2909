import type { DataArea, ReplyCache } from '@weir/access';
import { createIdempotencyRecords, createOrganizationRules, keepContents, type Database } from '@weir/database';
import type { ProviderAccounts } from '@weir/providers';
import type { TransitSealer, Vault } from '@weir/sealing';
import { createContentMetrics, createReplayMetrics, type Logger, type MetricsRegistry } from '@weir/telemetry';
import type { EdgeRouterParts } from './compose';
import { createContentKeeper } from './contents/create-content-keeper';

type RuleSources = {
  readonly env: { readonly DEPLOYMENT_REGION?: DataArea | undefined; readonly REGIONAL_ADDRESSES: EdgeRouterParts['place']['addresses'] };
  readonly database: Database;
  /** Null where `SEALING_KEY` is not set. */
  readonly vault: Vault | null;
  readonly accounts: ProviderAccounts;
  /** Shared with the workers. */
  readonly seal: TransitSealer;
  readonly cache: ReplyCache;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
};

export type RuleParts = Pick<EdgeRouterParts, 'organizationRules' | 'ownKeys' | 'place' | 'replays' | 'contents'>;

/** Where the edge finds what organizations have decided, and caches it. */
export function openRuleParts({ env, database, vault, accounts, seal, cache, registry, log }: RuleSources): RuleParts {
  return {
    organizationRules: createOrganizationRules(database.pool),
    ownKeys: { vault, accounts, seal },
    place: { region: env.DEPLOYMENT_REGION ?? null, addresses: env.REGIONAL_ADDRESSES },
    replays: { records: createIdempotencyRecords(database.pool), cache, count: createReplayMetrics(registry).count },
    contents: createContentKeeper({
      write: vault === null ? null : (batch) => keepContents({ pool: database.pool, vault }, batch),
      count: createContentMetrics(registry).count,
      log,
    }),
  };
}
