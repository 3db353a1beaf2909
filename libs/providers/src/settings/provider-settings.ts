/** Reads one environment variable; undefined and empty mean the same. */
export type ReadEnv = (name: string) => string | undefined;

/** Whose variables to read: an id gives PROVIDER_<ID>_API_KEY and PROVIDER_<ID>_BASE_URL, which come before customary names. */
type SettingNames = {
  readonly ids: readonly string[];
  readonly apiKey: readonly string[];
  readonly baseUrl: readonly string[];
};

type ProviderSettings = {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  /** The operator states that replies keep to the dialect, by PROVIDER_<ID>_CONFORMS=true. */
  readonly conforms: boolean;
};

export function readProviderSettings(env: ReadEnv, names: SettingNames): ProviderSettings {
  const prefixes = names.ids.map((id) => `PROVIDER_${id.toUpperCase().replaceAll('-', '_')}`);
  return {
    apiKey: firstOf(env, [...prefixes.map((prefix) => `${prefix}_API_KEY`), ...names.apiKey]),
    baseUrl: firstOf(env, [...prefixes.map((prefix) => `${prefix}_BASE_URL`), ...names.baseUrl]),
    conforms:
      firstOf(
        env,
        prefixes.map((prefix) => `${prefix}_CONFORMS`),
      ) === 'true',
  };
}

function firstOf(env: ReadEnv, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = env(name)?.trim();
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

const VERSION_AT_END = /\/v\d+[a-z0-9]*$/;

/**
 * An operator's address in the form of the provider's own, so that both customs work: with the version of the API at the
 * end, and without. A bare host gets the whole path; a path without a version gets one only where `addsVersion` says
 * that the provider's customary address leaves it out.
 */
export function normaliseBaseUrl(given: string, standard: string, addsVersion: boolean): string {
  const url = new URL(given);
  const path = url.pathname.replace(/\/+$/, '');
  const standardPath = new URL(standard).pathname.replace(/\/+$/, '');
  if (path === '') return `${url.origin}${standardPath}`;
  const version = VERSION_AT_END.exec(standardPath)?.[0] ?? '';
  return `${url.origin}${path}${addsVersion && !VERSION_AT_END.test(path) ? version : ''}`;
}
