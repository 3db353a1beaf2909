import { createSecretSource, createVaultReader, type VaultLogin, type VaultSettings } from '@weir/secret-source';
import { createAccountMetrics, type Logger, type MetricsRegistry } from '@weir/telemetry';
import type { UpstreamTransport } from '@weir/upstream-http';
import { readFileSync } from 'node:fs';
import { createProviderDirectory } from '../directory/provider-directory';
import type { CompatibleRows } from '../directory/compatible-rows';
import type { ReadEnv } from '../settings/provider-settings';
import { openGatewayAccounts, type OpenAccounts } from './open-accounts';

/** The settings of `providerAccountEnv`. */
type AccountSettings = {
  readonly PROVIDER_ACCOUNTS_FILE?: string | undefined;
  readonly PROVIDER_ACCOUNTS_POLL_MS: number;
  readonly VAULT_ADDR?: string | undefined;
  readonly VAULT_TOKEN?: string | undefined;
  readonly VAULT_TOKEN_FILE?: string | undefined;
  readonly VAULT_ROLE?: string | undefined;
  readonly VAULT_AUTH_MOUNT: string;
  readonly VAULT_NAMESPACE?: string | undefined;
  readonly VAULT_CACERT?: string | undefined;
  readonly VAULT_TIMEOUT_MS: number;
};

type OpeningParts = {
  readonly lookup: ReadEnv;
  readonly transport: UpstreamTransport;
  readonly rows?: CompatibleRows | undefined;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
};

/** Where a pod finds the token of its service account. */
const JWT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** The providers of a process, as its environment and its file of accounts set them up. */
export function openProviders(settings: AccountSettings, { lookup, transport, rows, registry, log }: OpeningParts): Promise<OpenAccounts> {
  const vault = readVaultSettings(settings);
  return openGatewayAccounts({
    ...{ env: lookup, transport, rows, log, now: () => performance.now() },
    path: settings.PROVIDER_ACCOUNTS_FILE,
    everyMs: settings.PROVIDER_ACCOUNTS_POLL_MS,
    secrets: createSecretSource({ env: lookup, vault: vault && createVaultReader(vault) }),
    directory: createProviderDirectory({ env: lookup, transport, rows }),
    showFaults: createAccountMetrics(registry),
  });
}

/** What the settings say together; undefined where they name no Vault. Throws where they name half of one. */
export function readVaultSettings(settings: AccountSettings): VaultSettings | undefined {
  const { VAULT_ADDR: address, VAULT_NAMESPACE: namespace, VAULT_CACERT: certificates, VAULT_TIMEOUT_MS: timeoutMs } = settings;
  if (address === undefined) return undefined;
  return {
    ...{ address, namespace, timeoutMs },
    login: findLogin(settings),
    certificates: certificates === undefined ? undefined : readFileSync(certificates, 'utf8'),
  };
}

function findLogin(settings: AccountSettings): VaultLogin {
  const { VAULT_TOKEN: token, VAULT_TOKEN_FILE: path, VAULT_ROLE: role, VAULT_AUTH_MOUNT: mount } = settings;
  if (path !== undefined) return { kind: 'token-file', path };
  if (token !== undefined) return { kind: 'token', token };
  if (role !== undefined) return { kind: 'kubernetes', role, mount, jwtPath: JWT_PATH };
  throw new Error('VAULT_ADDR is set, but neither VAULT_TOKEN nor VAULT_TOKEN_FILE nor VAULT_ROLE is');
}
