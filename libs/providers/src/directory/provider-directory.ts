import type { Modality } from '@weir/contracts';
import type { UpstreamTransport } from '@weir/upstream-http';
import type { Provider } from '../provider/provider';
import { describeSettings, listCompatibleSettings, listNativeSettings } from './describe-settings';
import { watchSecrets } from '../failures/known-secrets';
import { NATIVE_PROVIDERS } from '../native';
import { createResponsesCodec } from '../native/openai-responses';
import { formOf } from '../settings/account-forms';
import type { NativeProvider } from '../settings/native-provider';
import type { CompatibleProvider } from '../openai-compatible/rules/compatible-provider.schema';
import { createCompatibleRows, type CompatibleRows } from './compatible-rows';
import { createCompatibleProvider } from '../openai-compatible/create-compatible-provider';
import { createSandboxProvider } from '../openai-compatible/create-sandbox-provider';
import { searchThroughResponses } from '../openai-compatible/search-through-responses';
import { normaliseBaseUrl, readProviderSettings, type ReadEnv } from '../settings/provider-settings';

export type ProviderDirectoryParts = {
  readonly env: ReadEnv;
  readonly transport: UpstreamTransport;
  /** Those that speak chat completions, followed while they change; absent: those of the release. */
  readonly rows?: CompatibleRows | undefined;
  /** How long its keys are looked for in what providers say; by default as long as the process runs. */
  readonly secretsHeldMs?: number;
};

export type ProviderDirectory = {
  /**
   * Returns undefined for a provider that is unknown or not configured, and for one of the gateway's accounts there that is not
   * known. Without `accountId`: the only account, or the first.
   */
  find(providerId: string, accountId?: string): Provider | undefined;
  isConfigured(providerId: string): boolean;
  /** All providers there are, configured or not. */
  known(): string[];
  /** The settings that would set up a provider, in words; undefined for one that is unknown or needs none. */
  settingsOf(providerId: string): string | undefined;
  /** All providers there are, for people to look at. */
  describe(): ProviderDescription[];
};

export type ProviderDescription = {
  readonly id: string;
  readonly name: string;
  readonly isSetUp: boolean;
  /** Each row is one way to set it up: all settings of the row, by name. Empty where it needs none. */
  readonly needs: string[][];
  /** Fields of an organization's own account there: each row is one way. Empty: it takes none. */
  readonly keyWays: string[][];
  readonly keyOptional: string[];
  /** What it serves, where it is set up. */
  readonly modalities?: Modality[];
  /** The gateway's accounts, where they are more than one key. */
  readonly accounts?: DescribedAccount[];
};

export type DescribedAccount = { readonly id: string; readonly weight: number; readonly region: string | null };

/** Every provider this installation has credentials for, by id. Throws on entries that do not fit the schema. */
export function createProviderDirectory({ env, transport, secretsHeldMs, rows: given }: ProviderDirectoryParts): ProviderDirectory {
  const parts = { env: watchSecrets(env, secretsHeldMs), transport };
  const rows = given ?? createCompatibleRows();
  const sandbox = createSandboxProvider();
  const fixed = [sandbox, ...NATIVE_PROVIDERS.map((native) => createNative(native, parts))].filter((provider) => provider !== undefined);
  const made = new WeakMap<CompatibleProvider, Provider | undefined>();
  // A row that stays keeps its provider, and what that remembers.
  const create = (row: CompatibleProvider): Provider | undefined => {
    if (!made.has(row)) made.set(row, createFromEntry(row, parts));
    return made.get(row);
  };
  let version = rows.version();
  let listed = listProviders(rows.list(), { fixed, create, sandboxId: sandbox.id });
  const now = (): ListedProviders => {
    if (rows.version() === version) return listed;
    version = rows.version();
    return (listed = listProviders(rows.list(), { fixed, create, sandboxId: sandbox.id }));
  };
  return {
    find: (providerId) => now().providers.get(providerId),
    isConfigured: (providerId) => now().providers.has(providerId),
    known: () => [...now().known],
    settingsOf: (providerId) => {
      const ways = now().settings.get(providerId);
      return ways && describeSettings(ways);
    },
    describe: () => now().known.map((id) => describeProvider(id, now(), id !== sandbox.id)),
  };
}

type ListedProviders = {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly known: readonly string[];
  readonly settings: ReadonlyMap<string, string[][]>;
  readonly names: ReadonlyMap<string, string | undefined>;
};

type ListingParts = {
  readonly fixed: readonly Provider[];
  readonly create: (row: CompatibleProvider) => Provider | undefined;
  readonly sandboxId: string;
};

function listProviders(compatible: readonly CompatibleProvider[], { fixed, create, sandboxId }: ListingParts): ListedProviders {
  const found = [...compatible.map(create), ...fixed].filter((provider) => provider !== undefined);
  return {
    providers: new Map(found.map((provider) => [provider.id, provider])),
    known: [sandboxId, ...compatible.map(({ id }) => id), ...NATIVE_PROVIDERS.map(({ id }) => id)].sort(),
    settings: new Map([
      ...compatible.map((entry) => [entry.id, listCompatibleSettings(entry)] as const),
      ...NATIVE_PROVIDERS.map((native) => [native.id, listNativeSettings(native)] as const),
    ]),
    names: new Map([...compatible, ...NATIVE_PROVIDERS].map(({ id, name }) => [id, name])),
  };
}

function describeProvider(id: string, { providers, names, settings }: ListedProviders, takesKeys: boolean): ProviderDescription {
  const { ways, optional } = formOf(id);
  const provider = providers.get(id);
  return {
    ...(provider === undefined ? {} : { modalities: [...provider.modalities] }),
    ...{ id, name: names.get(id) ?? id, isSetUp: providers.has(id), needs: settings.get(id) ?? [] },
    keyWays: takesKeys ? ways.map((way) => [...way]) : [],
    keyOptional: takesKeys ? [...optional] : [],
  };
}

function createFromEntry(entry: CompatibleProvider, { env, transport }: ProviderDirectoryParts): Provider | undefined {
  const settings = readProviderSettings(env, { ids: [entry.id], ...entry.env });
  const isConfigured = settings.apiKey !== undefined || (entry.isKeyOptional && settings.baseUrl !== undefined);
  if (!isConfigured) return undefined;
  const baseUrl = settings.baseUrl === undefined ? entry.baseUrl : normaliseBaseUrl(settings.baseUrl, entry.baseUrl, false);
  const provider = createCompatibleProvider(entry, {
    apiKey: settings.apiKey,
    baseUrl,
    transport,
    hasRegions: settings.baseUrl === undefined,
    conforms: settings.conforms,
  });
  if (!entry.searchesThroughResponses || provider.codec === null) return provider;
  return { ...provider, codec: searchThroughResponses(provider.codec, createResponsesCodec()) };
}

function createNative(native: NativeProvider, { env, transport }: ProviderDirectoryParts): Provider | undefined {
  if ('open' in native) return native.open(env, transport);
  const ids = native.sharesAccountOf === undefined ? [native.id] : [native.id, native.sharesAccountOf];
  const settings = readProviderSettings(env, { ids, ...native.env });
  if (settings.apiKey === undefined) return undefined;
  const baseUrl =
    settings.baseUrl === undefined ? native.baseUrl : normaliseBaseUrl(settings.baseUrl, native.baseUrl, native.addsVersion === true);
  return native.create({ apiKey: settings.apiKey, baseUrl, transport, hasRegions: settings.baseUrl === undefined });
}
