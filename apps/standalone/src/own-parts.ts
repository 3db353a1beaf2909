import { createDataKeyStore } from '@weir/database';
import { createAddressRule, createGuardedFetcher, type GuardedFetcher } from '@weir/guarded-fetch';
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

export async function checkDatabase({ database }: Pick<ServingData, 'database'>): Promise<null> {
  await database.pool.query('select 1');
  return null;
}
