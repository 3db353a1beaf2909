import { formOf } from '../settings/account-forms';
import type { NativeProvider } from '../settings/native-provider';
import type { CompatibleProvider } from '../openai-compatible/rules/compatible-provider.schema';

/** The settings that set up a provider, in words: `OPENAI_API_KEY`, `AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY`. */
export function describeCompatibleSettings({ id, env, isKeyOptional }: CompatibleProvider): string {
  return joinChoices([keySetting(id, env.apiKey), ...(isKeyOptional ? [env.baseUrl[0] ?? ownSetting(id, 'BASE_URL')] : [])]);
}

export function describeNativeSettings(native: NativeProvider): string {
  if (!('open' in native)) return keySetting(native.id, native.env.apiKey);
  const { ways, fields } = formOf(native.id);
  return joinChoices(ways.map((way) => way.map((field) => fields[field]?.setting ?? field).join(' with ')));
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
