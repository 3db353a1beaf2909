import type { SecretReference, SecretSource } from '@weir/secret-source';
import { createPatternMatcher } from '@weir/model-catalog';
import type { Modality } from '@weir/contracts';
import type { UpstreamTransport } from '@weir/upstream-http';
import { readFile } from 'node:fs/promises';
import type { DescribedAccount, ProviderDirectory } from '../directory/provider-directory';
import type { CompatibleRows } from '../directory/compatible-rows';
import type { Provider } from '../provider/provider';
import type { ReadEnv } from '../settings/provider-settings';
import { createAccountLimiter, limitAccount, noteTokens, type AccountLimiter } from './account-limiter';
import { fieldsOf, type AccountSpec } from './account-spec.schema';
import { createFaultLog, type FaultLog, type FaultParts } from './fault-log';
import { openAccount } from './open-account';
import { AccountsUnreadable, checkUnique, readAccountSpecs, readAccountVariables } from './read-account-specs';

export type AccountBookParts = FaultParts & {
  /** The file of accounts; absent: there is none. */
  readonly path: string | undefined;
  readonly env: ReadEnv;
  readonly secrets: SecretSource;
  readonly transport: UpstreamTransport;
  /** Providers that speak chat completions; absent: those of the release. */
  readonly rows?: CompatibleRows | undefined;
  /** The providers that the environment sets up, whose accounts are called `default`. */
  readonly directory: ProviderDirectory;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

/** One account at one provider, ready to be used. */
export type BookedAccount = DescribedAccount & {
  readonly provider: Provider;
  readonly modalities: readonly Modality[];
  readonly serves: (modelId: string) => boolean;
  /** A request that it was sent has ended, and used so many tokens. */
  readonly noteTokens: (tokens: number) => void;
};

/** An account whose secrets were read. `key`: all that it was made of; another key is another account. */
type OpenAccount = { readonly key: string; readonly byProvider: ReadonlyMap<string, BookedAccount> };

const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** A provider that refuses a key is no reason to ask for a newer one more often than this. */
const RENEWAL_MS = 1_000;
const DEFAULT_ID = 'default';

/** The gateway's accounts at providers as they are now. What cannot be read stays as it was. */
export class AccountBook {
  private specs: readonly AccountSpec[] = [];
  private text: string | undefined;
  private opened = new Map<string, OpenAccount>();
  private byProvider = new Map<string, readonly BookedAccount[]>();
  private current: object = {};
  private running: Promise<void> = Promise.resolve();
  /** When secrets of an account were last asked for because its key was refused. */
  private readonly renewedAtMs = new Map<string, number>();
  private readonly limiters = new Map<string, AccountLimiter>();
  private readonly fixed: readonly AccountSpec[];
  private readonly faults: FaultLog;

  /** Throws `AccountsUnreadable` for variables that cannot be read. */
  constructor(private readonly parts: AccountBookParts) {
    this.fixed = readAccountVariables(parts.env, this.known);
    this.faults = createFaultLog(parts);
  }

  /** False where no account is written anywhere, nor ever will be. */
  get isUsed(): boolean {
    return this.parts.path !== undefined || this.fixed.length > 0;
  }

  /** Throws where the file cannot be read: there is none before it that would be good. */
  async open(): Promise<void> {
    this.specs = [...this.fixed, ...(await this.readSpecs())];
    await this.openAccounts(false);
  }

  list(providerId: string): readonly BookedAccount[] {
    return this.byProvider.get(providerId) ?? NONE;
  }

  version(): object {
    return this.current;
  }

  /** Reads everything again, one after the other. Never rejects. `isFresh`: also what was read a moment ago. */
  refresh(isFresh = false): Promise<void> {
    this.running = this.running.then(async () => {
      await this.readSpecsAgain();
      await this.openAccounts(isFresh);
    });
    return this.running;
  }

  private get known(): readonly string[] {
    return this.parts.directory.known();
  }

  private get place(): string {
    return this.parts.path ?? 'PROVIDER_<ID>_ACCOUNTS';
  }

  private async readSpecsAgain(): Promise<void> {
    try {
      this.specs = [...this.fixed, ...(await this.readSpecs())];
      this.faults.clear('file', this.place);
    } catch (error) {
      this.faults.note('file', this.place, error);
    }
  }

  private async readSpecs(): Promise<readonly AccountSpec[]> {
    const { path } = this.parts;
    if (path === undefined) return [];
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new AccountsUnreadable(path, [`cannot be read (${error.code ?? 'unknown reason'})`]);
    });
    if (text.length > FILE_BYTES_MAX) throw new AccountsUnreadable(path, [`is larger than ${FILE_BYTES_MAX} bytes`]);
    if (text === this.text) return this.specs.slice(this.fixed.length);
    const specs = readAccountSpecs(text, path, this.known);
    checkUnique([...this.fixed, ...specs], path);
    this.text = text;
    return specs;
  }

  private async openAccounts(isFresh: boolean): Promise<void> {
    const opened = new Map<string, OpenAccount>();
    await Promise.all(
      this.specs.map(async (spec) => {
        const name = nameAccount(spec);
        const before = this.opened.get(name);
        try {
          opened.set(name, await this.openOne(spec, before, isFresh));
          this.faults.clear('account', name);
        } catch (error) {
          this.faults.note('account', name, error);
          if (before !== undefined) opened.set(name, before);
        }
      }),
    );
    const changed = [...opened].filter(([name, { key }]) => this.opened.get(name)?.key !== key).map(([name]) => name);
    const gone = [...this.opened.keys()].filter((name) => !opened.has(name));
    if (changed.length === 0 && gone.length === 0) return;
    // The order of the file, whichever secret came first.
    this.opened = new Map(
      this.specs.map(nameAccount).flatMap((name) => (opened.has(name) ? [[name, opened.get(name) as OpenAccount]] : [])),
    );
    for (const name of gone) this.faults.clear('account', name);
    this.byProvider = this.indexByProvider();
    this.current = {};
    this.parts.log.info({ changed, gone }, 'accounts at providers are in force');
  }

  private async openOne(spec: AccountSpec, before: OpenAccount | undefined, isFresh: boolean): Promise<OpenAccount> {
    const entries = await Promise.all(
      Object.entries(fieldsOf(spec)).map(async ([name, field]) => ({ name, ...(await this.readField(field, isFresh)) })),
    );
    // With the row of its provider, whose settings may be others by now.
    const row = this.parts.rows?.list().find(({ id }) => id === spec.provider);
    const key = JSON.stringify([spec, entries.map(({ version }) => version), row]);
    if (before?.key === key) return before;
    const fields = Object.fromEntries(entries.map(({ name, value }) => [name, value]));
    const providers = openAccount(spec, fields, this.parts);
    return { key, byProvider: new Map([...providers].map(([id, provider]) => [id, this.book(spec, provider)])) };
  }

  private readField(field: string | SecretReference, isFresh: boolean): Promise<{ value: string; version: string }> {
    return typeof field === 'string' ? Promise.resolve({ value: field, version: '' }) : this.parts.secrets.read(field, { isFresh });
  }

  private book(spec: AccountSpec, opened: Provider): BookedAccount {
    const { id, weight, region = null, models, first_content_ms: firstContentMs, idle_ms: idleMs } = spec;
    const limiter = this.limiterOf(spec);
    const limited = limiter === undefined ? opened : limitAccount(opened, id, limiter, this.parts.now);
    const provider: Provider = { ...limited, deadlines: { firstContentMs, idleMs }, renew: () => this.renew(provider, id) };
    const serves = models === undefined ? () => true : createPatternMatcher(models);
    const note = limiter === undefined ? noteNothing : (tokens: number): void => noteTokens(limiter, tokens);
    return { id, weight, region, provider, modalities: provider.modalities, serves, noteTokens: note };
  }

  /** What an account was sent counts on under its next secret. */
  private limiterOf(spec: AccountSpec): AccountLimiter | undefined {
    const { requests_per_minute: requests, tokens_per_minute: tokens, concurrent } = spec;
    if (requests === undefined && tokens === undefined && concurrent === undefined) return undefined;
    const name = nameAccount(spec);
    const limiter = this.limiters.get(name) ?? createAccountLimiter(spec, this.parts.now());
    limiter.limits = spec;
    this.limiters.set(name, limiter);
    return limiter;
  }

  private async renew(refused: Provider, accountId: string): Promise<Provider | undefined> {
    const find = (): Provider | undefined => this.list(refused.id).find(({ id }) => id === accountId)?.provider;
    const name = `${refused.id}/${accountId}`;
    if (find() === refused && this.parts.now() - (this.renewedAtMs.get(name) ?? -Infinity) >= RENEWAL_MS) {
      this.renewedAtMs.set(name, this.parts.now());
      await this.refresh(true);
    } else {
      await this.running;
    }
    const found = find();
    return found === refused ? undefined : found;
  }

  private indexByProvider(): Map<string, readonly BookedAccount[]> {
    const index = new Map<string, BookedAccount[]>();
    for (const { byProvider } of this.opened.values()) {
      for (const [id, account] of byProvider) index.set(id, [...(index.get(id) ?? []), account]);
    }
    // What the environment sets up counts as well, unless the file has an account of that name.
    for (const [providerId, accounts] of index) {
      const provider = this.parts.directory.find(providerId);
      if (provider === undefined || accounts.some(({ id }) => id === DEFAULT_ID)) continue;
      const { modalities } = provider;
      accounts.unshift({ id: DEFAULT_ID, weight: 1, region: null, provider, modalities, serves: () => true, noteTokens: noteNothing });
    }
    return index;
  }
}

const NONE: readonly BookedAccount[] = [];
const noteNothing = (): void => undefined;

function nameAccount({ provider, id }: AccountSpec): string {
  return `${provider}/${id}`;
}
