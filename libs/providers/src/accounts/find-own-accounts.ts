import { GatewayError, isAccountRefusal } from '@weir/errors';
import type { Provider } from '../provider/provider';
import type { LaneMap } from '../directory/find-target';
import type { ProviderDirectory } from '../directory/provider-directory';
import type { CompatibleRows } from '../directory/compatible-rows';
import { ACCOUNT_KEPT_MS, createProviderAccounts, type ProviderAccounts, type ProviderAccountsParts } from './create-provider-accounts';

type OwnAccountParts = {
  readonly providers: Pick<ProviderDirectory, 'find'>;
  readonly accounts: Pick<ProviderAccounts, 'open'>;
  /** Opens the sealed credential of an attempt to the JSON text of its account's fields; throws for anything else. */
  readonly openCredential: (credential: string, providerId: string) => string;
  readonly accountsMax?: number;
  /** What accounts are opened by; once they are others, so are the accounts. */
  readonly rows?: Pick<CompatibleRows, 'version'> | undefined;
  /** How long an opened account stays in memory. */
  readonly keptMs?: number;
};

const ACCOUNTS_MAX = 1000;

/**
 * Providers for attempts: the gateway's own, or the one that an organization's sealed account opens. A rotated
 * credential is sealed anew, so it never meets the account that was opened for the one before.
 */
export function findOwnAccounts({ providers, accounts, openCredential, rows, ...limits }: OwnAccountParts): LaneMap['findProvider'] {
  const { accountsMax = ACCOUNTS_MAX, keptMs = ACCOUNT_KEPT_MS } = limits;
  const kept = new Map<string, Provider>();
  let version = rows?.version();

  const open = (providerId: string, credential: string): Provider | undefined => {
    const fields = JSON.parse(openCredential(credential, providerId)) as Record<string, string>;
    const provider = accounts.open(providerId, fields);
    return provider && withOwnWords(provider);
  };

  return (providerId, credential, accountId) => {
    if (credential === undefined) return providers.find(providerId, accountId);
    if (rows?.version() !== version) {
      version = rows?.version();
      kept.clear();
    }
    const name = `${providerId}|${credential}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const provider = open(providerId, credential);
    if (provider === undefined) return undefined;
    const oldest = kept.keys().next().value;
    if (kept.size >= accountsMax && oldest !== undefined) kept.delete(oldest);
    kept.set(name, provider);
    setTimeout(() => kept.delete(name), keptMs).unref();
    return provider;
  };
}

/** What a worker finds the providers of attempts with. */
export type AttemptProviders = {
  readonly find: LaneMap['findProvider'];
  /** See ProviderDirectory. */
  readonly settingsOf?: (providerId: string) => string | undefined;
};

/** The same with the means to say which providers there are. */
type DescribedProviders = AttemptProviders & Pick<ProviderDirectory, 'describe'>;

type AttemptProviderParts = ProviderAccountsParts &
  Pick<OwnAccountParts, 'openCredential'> & {
    /** The gateway's own. */
    readonly providers: ProviderDirectory;
  };

/** The providers of a process that has nothing to do with them but to serve attempts. */
export function createAttemptProviders(parts: AttemptProviderParts): DescribedProviders {
  const { openCredential, providers } = parts;
  return {
    find: findOwnAccounts({ providers, accounts: createProviderAccounts(parts), openCredential, rows: parts.rows }),
    settingsOf: (providerId) => providers.settingsOf(providerId),
    describe: () => providers.describe(),
  };
}

/** Whose key was refused decides who can do something about it. */
function withOwnWords(provider: Provider): Provider {
  return {
    ...provider,
    readError: (status, headers, text) => {
      const error = provider.readError(status, headers, text);
      if (!isAccountRefusal(error.code)) return error;
      const message = `The provider ${provider.id} refused the organization's own key (status ${status}). Rotate or delete it.`;
      return new GatewayError(error.code, message, error.details);
    },
  };
}
