import type { UpstreamTransport } from '@weir/upstream-http';
import type { Provider } from '../provider/provider';
import { describeSettings, listCompatibleSettings, listNativeSettings } from './describe-settings';
import { watchSecrets } from '../failures/known-secrets';
import { NATIVE_PROVIDERS } from '../native';
import { createResponsesCodec } from '../native/openai-responses';
import { formOf } from '../settings/account-forms';
import type { NativeProvider } from '../settings/native-provider';
import { compatibleProviders, type CompatibleProvider } from '../openai-compatible/rules/compatible-provider.schema';
import entries from '../openai-compatible/rules/compatible-providers.json';
import { createCompatibleProvider } from '../openai-compatible/create-compatible-provider';
import { createSandboxProvider } from '../openai-compatible/create-sandbox-provider';
import { searchThroughResponses } from '../openai-compatible/search-through-responses';
import { normaliseBaseUrl, readProviderSettings, type ReadEnv } from '../settings/provider-settings';

export type ProviderDirectoryParts = {
  readonly env: ReadEnv;
  readonly transport: UpstreamTransport;
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
  /** The gateway's accounts, where they are more than one key. */
  readonly accounts?: DescribedAccount[];
};

export type DescribedAccount = { readonly id: string; readonly weight: number; readonly region: string | null };

/** Every provider this installation has credentials for, by id. Throws on entries that do not fit the schema. */
export function createProviderDirectory({ env, transport, secretsHeldMs }: ProviderDirectoryParts): ProviderDirectory {
  const parts = { env: watchSecrets(env, secretsHeldMs), transport };
  const compatible = compatibleProviders.parse(entries);
  const providers = new Map<string, Provider>();
  const sandbox = createSandboxProvider();
  const found = [
    sandbox,
    ...compatible.map((entry) => createFromEntry(entry, parts)),
    ...NATIVE_PROVIDERS.map((native) => createNative(native, parts)),
  ];
  for (const provider of found) if (provider !== undefined) providers.set(provider.id, provider);
  const known = [sandbox.id, ...compatible.map((entry) => entry.id), ...NATIVE_PROVIDERS.map((native) => native.id)].sort();
  const settings = new Map([
    ...compatible.map((entry) => [entry.id, listCompatibleSettings(entry)] as const),
    ...NATIVE_PROVIDERS.map((native) => [native.id, listNativeSettings(native)] as const),
  ]);
  const names = new Map([...compatible, ...NATIVE_PROVIDERS].map(({ id, name }) => [id, name]));
  return {
    find: (providerId) => providers.get(providerId),
    isConfigured: (providerId) => providers.has(providerId),
    known: () => [...known],
    settingsOf: (providerId) => {
      const ways = settings.get(providerId);
      return ways && describeSettings(ways);
    },
    describe: () =>
      known.map((id) => {
        const { ways, optional } = formOf(id);
        const takesKeys = id !== sandbox.id;
        return {
          ...{ id, name: names.get(id) ?? id, isSetUp: providers.has(id), needs: settings.get(id) ?? [] },
          keyWays: takesKeys ? ways.map((way) => [...way]) : [],
          keyOptional: takesKeys ? [...optional] : [],
        };
      }),
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
