import { createEnvLookup } from '@weir/config';
import { openStoredCatalog, type StoredCatalog } from '@weir/database';
import { readBaseRecords, type ModelCatalog } from '@weir/model-catalog';
import {
  createCompatibleRows,
  createProviderAccounts,
  type CompatibleRows,
  type ProviderAccounts,
  type openProviders,
} from '@weir/providers';
import { createCatalogMetrics, type MetricsRegistry } from '@weir/telemetry';
import type { StandaloneEnv } from './env';
import { importedModelsPath, readImportedModels } from './imported-models';
import type { OwnParts } from './own-parts';

type Send = Parameters<typeof openProviders>[1]['transport'];

export type CatalogParts = {
  readonly catalog: ModelCatalog;
  /** Follows changes of it. */
  readonly models: StoredCatalog;
  /** Providers that speak chat completions, which change with the catalogue. */
  readonly rows: CompatibleRows;
  readonly accounts: ProviderAccounts;
};

/** Reads the models that a process starts from. What they come to is remembered: later it takes no time. */
export function warmCatalog(env: StandaloneEnv): void {
  readBaseRecords(readImported(env));
}

function readImported(env: StandaloneEnv): string | undefined {
  return env.CATALOG ?? readImportedModels(importedModelsPath(env.DATA_DIR));
}

export type CatalogSources = Pick<OwnParts, 'data' | 'log'> & { readonly send: Send; readonly registry: MetricsRegistry };

/** What is known of models, and of the accounts by which they are called. */
export async function openCatalogParts(env: StandaloneEnv, { data, send, registry, log }: CatalogSources): Promise<CatalogParts> {
  const rows = createCompatibleRows();
  const models = await openStoredCatalog({
    ...{ pool: data.database.pool, notices: data.changeNotices, log, show: createCatalogMetrics(registry) },
    ...{ imported: readImported(env), takeProviders: rows.take },
  });
  return {
    ...{ catalog: models.catalog, models, rows },
    accounts: createProviderAccounts({ transport: send, rows, env: createEnvLookup() }),
  };
}
