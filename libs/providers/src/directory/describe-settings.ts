import { formOf } from '../settings/account-forms';
import type { NativeProvider } from '../settings/native-provider';
import type { CompatibleProvider } from '../openai-compatible/rules/compatible-provider.schema';

/** The settings that set up a provider: each row is one way, and all settings of the row. */
export function listCompatibleSettings({ id, env, isKeyOptional }: CompatibleProvider): string[][] {
  return [[keySetting(id, env.apiKey)], ...(isKeyOptional ? [[env.baseUrl[0] ?? ownSetting(id, 'BASE_URL')]] : [])];
}

export function listNativeSettings(native: NativeProvider): string[][] {
  if (!('open' in native)) return [[keySetting(native.id, native.env.apiKey)]];
  const { ways, fields } = formOf(native.id);
  return ways.map((way) => way.map((field) => fields[field]?.setting ?? field));
}

/** The same in words: `OPENAI_API_KEY`, `AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY`. */
export function describeSettings(ways: readonly (readonly string[])[]): string {
  return joinChoices(ways.map((way) => way.join(' with ')));
}

/** The vendor's customary name is the one that people know; every provider has one of this gateway's as well. */
function keySetting(id: string, customary: readonly string[]): string {
  return customary[0] ?? ownSetting(id, 'API_KEY');
}

function ownSetting(id: string, name: string): string {
  return `PROVIDER_${id.toUpperCase().replaceAll('-', '_')}_${name}`;
}

function joinChoices(choices: readonly string[]): string {
  return [...new Set(choices)].join(' or ');
}
