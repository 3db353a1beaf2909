import type { Attempt } from '@weir/contracts';
import type { ProviderDirectory } from '../directory/provider-directory';
import type { Provider } from '../provider/provider';
import { AccountBook, type AccountBookParts, type BookedAccount } from './account-book';

/** The providers of a process with all of the gateway's accounts at them. */
export type OpenAccounts = {
  readonly directory: ProviderDirectory;
  /** For routing; absent where no provider has more than the key of the environment. */
  readonly accounts: { of(providerId: string): readonly BookedAccount[]; version(): object } | undefined;
  /** A request that was sent by one of them has ended, and used so many tokens. */
  readonly noteTokens: (attempt: SentAttempt, tokens: number) => void;
  stop(): void;
};

/** Where a request was sent; by an organization's own account where it has a credential. */
type SentAttempt = Pick<Attempt, 'providerId' | 'accountId' | 'credentialId'>;

type OpeningParts = AccountBookParts & { readonly everyMs: number };

/** What is not known now may be so for a while; it is said once in that time. */
const SAID_FOR_MS = 60_000;
const SAID_MAX = 1_000;

/** Reads the accounts and keeps them as new as their places are. Rejects where they cannot be read to begin with. */
export async function openGatewayAccounts(parts: OpeningParts): Promise<OpenAccounts> {
  const book = new AccountBook(parts);
  if (!book.isUsed) return { directory: parts.directory, accounts: undefined, noteTokens: () => undefined, stop: () => undefined };
  await book.open();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void book.refresh().finally(() => (isRunning = false));
  }, parts.everyMs);
  timer.unref();
  return {
    directory: withAccounts(parts, book),
    accounts: { of: (providerId) => book.list(providerId), version: () => book.version() },
    noteTokens: ({ providerId, accountId, credentialId }, tokens) => {
      if (credentialId !== undefined) return;
      const accounts = book.list(providerId);
      const sent = accountId === undefined ? accounts[0] : accounts.find(({ id }) => id === accountId);
      sent?.noteTokens(tokens);
    },
    stop: () => clearInterval(timer),
  };
}

function withAccounts({ directory, log, now }: OpeningParts, book: AccountBook): ProviderDirectory {
  const saidAtMs = new Map<string, number>();
  const sayUnknown = (provider: string, account: string): void => {
    const name = `${provider}/${account}`;
    if (now() - (saidAtMs.get(name) ?? -Infinity) < SAID_FOR_MS) return;
    if (saidAtMs.size >= SAID_MAX) saidAtMs.clear();
    saidAtMs.set(name, now());
    log.warn({ provider, account }, 'an account that the edge has chosen is not known here; nothing was sent, the next attempt follows');
  };
  const find = (providerId: string, accountId?: string): Provider | undefined => {
    const accounts = book.list(providerId);
    if (accountId === undefined) return accounts[0]?.provider ?? directory.find(providerId);
    const found = accounts.find(({ id }) => id === accountId)?.provider;
    if (found === undefined) sayUnknown(providerId, accountId);
    return found;
  };
  return {
    ...directory,
    find,
    isConfigured: (providerId) => directory.isConfigured(providerId) || book.list(providerId).length > 0,
    describe: () =>
      directory.describe().map((described) => {
        const accounts = book.list(described.id).map(({ id, weight, region }) => ({ id, weight, region }));
        return accounts.length === 0 ? described : { ...described, isSetUp: true, accounts };
      }),
  };
}
