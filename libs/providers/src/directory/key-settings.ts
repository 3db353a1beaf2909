import { formOf } from '../settings/account-forms';
import { NATIVE_PROVIDERS } from '../native';
import { compatibleProviders } from '../openai-compatible/rules/compatible-provider.schema';
import entries from '../openai-compatible/rules/compatible-providers.json';
import type { ReadEnv } from '../settings/provider-settings';

const OWN_PREFIX = 'PROVIDER_';

type KeySetting = {
  readonly providerId: string;
  /** What its key may be set as, the vendor's customary name first. */
  readonly names: readonly string[];
};

/** First in the list, because most have an account at one of them. */
const BEST_KNOWN = ['openai', 'anthropic', 'google', 'mistral', 'deepseek', 'groq'];

/** The settings that turn providers on, without those that need no key. */
export function listKeySettings(): KeySetting[] {
  const compatible = compatibleProviders
    .parse(entries)
    .filter(({ isKeyOptional }) => !isKeyOptional)
    .map(({ id, env }) => ({ providerId: id, names: [...env.apiKey, ownName(id)] }));
  const native = NATIVE_PROVIDERS.map((provider) => {
    if ('open' in provider)
      return { providerId: provider.id, names: Object.values(formOf(provider.id).fields).map(({ setting }) => setting) };
    const shared = provider.sharesAccountOf === undefined ? [] : [ownName(provider.sharesAccountOf)];
    return { providerId: provider.id, names: [...provider.env.apiKey, ownName(provider.id), ...shared] };
  });
  const rows = [...compatible, ...native];
  const isBestKnown = ({ providerId }: KeySetting): boolean => BEST_KNOWN.includes(providerId);
  const best = BEST_KNOWN.flatMap((id) => rows.filter(({ providerId }) => providerId === id));
  return [...best, ...rows.filter((row) => !isBestKnown(row))];
}

/** All names of such settings. */
export function listKeySettingNames(): string[] {
  return [...new Set(listKeySettings().flatMap(({ names }) => names))];
}

/** The setting a provider's key is read from, which is our own name before the customary one; undefined where none is set. */
export function findKeySetting({ names }: KeySetting, env: ReadEnv): string | undefined {
  const isSet = (name: string): boolean => (env(name)?.trim() ?? '') !== '';
  return names.find((name) => name.startsWith(OWN_PREFIX) && isSet(name)) ?? names.find(isSet);
}

function ownName(id: string): string {
  return `${OWN_PREFIX}${id.toUpperCase().replaceAll('-', '_')}_API_KEY`;
}
