import { findKeySetting, listKeySettings, type ProviderDirectory } from '@weir/providers';

const SUGGESTED = 2;

type Known = Pick<ProviderDirectory, 'isConfigured' | 'known'>;

/** Which providers are on, and which settings turn on others: two lines for the start. */
export function describeProviders(providers: Known): string[] {
  const on = providers.known().filter((id) => providers.isConfigured(id));
  const off = listKeySettings().filter(({ providerId }) => !providers.isConfigured(providerId));
  const names = [...new Set(off.flatMap(({ names: [customary] }) => customary ?? []))];
  const suggested = names.slice(0, SUGGESTED);
  const more = names.length - suggested.length;
  const lines = [`Providers on: ${on.join(', ')}`];
  if (suggested.length === 0) return lines;
  return [...lines, `More with ${suggested.join(', ')}${more > 0 ? ` and ${more} others: docs/settings.md` : ''}`];
}

/** The providers that are on, each with the setting its key is read from; several may share one, of which the first is here. */
export function listKeysInUse(providers: Known, env: (name: string) => string | undefined): Map<string, string> {
  const bySetting = new Map<string, string>();
  for (const row of listKeySettings()) {
    const setting = providers.isConfigured(row.providerId) ? findKeySetting(row, env) : undefined;
    if (setting !== undefined && !bySetting.has(setting)) bySetting.set(setting, row.providerId);
  }
  return bySetting;
}
