import { createDatabaseCheck, createDataKeyStore } from '@weir/database';
import { createAddressRule, createGuardedFetcher, type GuardedFetcher } from '@weir/guarded-fetch';
import type { HealthParts } from '@weir/http-server';
import { createKeyRing, createVault, type Vault } from '@weir/sealing';
import type { Logger } from '@weir/telemetry';
import type { StandaloneEnv } from './env';
import type { ServingData } from './data-parts';
import type { Secrets } from './open-secrets';

/** What every process of the gateway has. */
export type OwnParts = {
  readonly env: StandaloneEnv;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly data: ServingData;
};

export function openVault({ secrets, data }: OwnParts): Vault {
  return createVault({ keyRing: createKeyRing(secrets.sealingKey), store: createDataKeyStore(data.database.pool) });
}

export function createFetcher(env: StandaloneEnv): GuardedFetcher {
  return createGuardedFetcher({ ports: env.FETCH_PORTS, isAllowedAddress: createAddressRule(env.FETCH_PRIVATE_NETWORKS) });
}

/**
 * One machine has nothing else in its place: once it could serve, it is ready. Without Postgres or with a journal that is full,
 * what needs them is refused in words; lists, and what its caches know, are served. A gateway whose counters have another owner
 * admits nothing, so it is not ready.
 */
export function describeHealth(
  { database, counters }: Pick<ServingData, 'database'> & Partial<Pick<ServingData, 'counters'>>,
  metering?: { isReady(): boolean },
  more: HealthParts['dependencies'] = {},
): HealthParts {
  const dependencies: NonNullable<HealthParts['dependencies']> = {
    postgres: createDatabaseCheck(database),
    ...(metering === undefined ? {} : { journal: () => (metering.isReady() ? null : 'the usage journal does not accept records') }),
  };
  return {
    checks: counters === undefined ? [] : [() => counters.describe()],
    starts: Object.values(dependencies),
    dependencies: { ...dependencies, ...more },
  };
}
