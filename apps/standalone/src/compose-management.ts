import { readSmtpSettings } from '@weir/config';
import {
  composeManagementApi,
  createIdentityProvider,
  createSecretAlerts,
  openConsole,
  openUsageStore,
  readConfigurationFile,
  readOidcSettings,
  readVariable,
  type ManagementApi,
} from '@weir/management-api';
import { inspectAccount } from '@weir/providers';
import { createConfigurationCounter, createSecretAlertCounter, type MetricsRegistry } from '@weir/telemetry';
import type { UsageStore } from '@weir/usage';
import type { CatalogParts } from './open-catalog-parts';
import { readPeppers } from './open-secrets';
import { createFetcher, openVault, type OwnParts } from './own-parts';

type ManagementSources = {
  readonly authenticate: Parameters<typeof composeManagementApi>[0]['authenticate'];
  readonly usageStore: UsageStore;
  readonly registry: MetricsRegistry;
  /** Where the console calls the gateway, which is this one. */
  readonly gatewayUrl: () => string | undefined;
};

/**
 * Throws what is wrong with the settings of management taken together. To be called before anything runs in the background: what fails
 * later takes the database from under it.
 */
export function checkManagementSettings(env: OwnParts['env']): void {
  readSmtpSettings(env);
  readOidcSettings(env);
  createIdentityProvider(env);
}

export function composeManagement(
  parts: OwnParts,
  { catalog, accounts }: Pick<CatalogParts, 'catalog' | 'accounts'>,
  { authenticate, usageStore, registry, gatewayUrl }: ManagementSources,
): ManagementApi {
  const { env, data, secrets, log } = parts;
  const fetcher = createFetcher(env);
  return composeManagementApi({
    database: data.database,
    usageStore: openUsageStore({ settings: env, store: usageStore, database: data.database, registry, log }),
    authenticate,
    changeNotices: data.changeNotices,
    processReports: data.processReports,
    catalog,
    vault: openVault(parts),
    urlGuard: fetcher,
    sendsEmail: readSmtpSettings(env) !== undefined,
    secretAlerts: createSecretAlerts(env, { fetcher, count: createSecretAlertCounter(registry) }),
    oidc: readOidcSettings(env),
    console: openConsole(env, { sealingKey: secrets.sealingKey, gatewayUrl }),
    providerAccounts: {
      inspect: (provider, fields) => Promise.resolve(inspectAccount(accounts, provider, fields)),
      probe: accounts.probe,
    },
    peppers: readPeppers(secrets),
    identityProvider: createIdentityProvider(env),
    configurationFile: readConfigurationFile(env, { env: readVariable, count: createConfigurationCounter(registry) }),
    now: Date.now,
    log,
  });
}
