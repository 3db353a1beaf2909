import { queryOptions } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';
import type { ProvidersSearch } from './providers-search';

export type Providers = Schemas['Providers'];
export type Provider = Schemas['Provider'];
export type Health = Provider['health'];
export type Credential = Schemas['ProviderCredential'];

const AGAIN_MS = 5_000;

/** Asked for again while someone looks: the processes report every few seconds. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/manage/provider', { signal })),
  refetchInterval: AGAIN_MS,
});

export const credentialsQuery = queryOptions({
  queryKey: ['provider-credentials'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/provider-credential', { signal }))).provider_credentials,
});

/** A share of errors from here on is trouble, where there were enough attempts to say so. */
const TROUBLED_SHARE = 0.05;

export function isTroubled({ health }: Pick<Provider, 'health'>): boolean {
  if (health.state === 'ejected' || health.state === 'partly_ejected') return true;
  return !health.has_few_attempts && (health.error_share ?? 0) >= TROUBLED_SHARE;
}

/** What can be used before what cannot, and then by name. */
export function filterProviders(all: readonly Provider[], { search = '', show = 'all' }: ProvidersSearch): Provider[] {
  const text = search.trim().toLowerCase();
  const isShown = (provider: Provider): boolean => {
    if (show === 'set-up') return isUsable(provider);
    if (show === 'not-set-up') return !isUsable(provider);
    return show === 'all' || isTroubled(provider);
  };
  return all
    .filter((provider) => isShown(provider) && [provider.id, provider.name].some((name) => name.toLowerCase().includes(text)))
    .sort((a, b) => Number(isUsable(b)) - Number(isUsable(a)) || a.name.localeCompare(b.name, 'en'));
}

export function isUsable({ is_set_up: isSetUp, own_keys: ownKeys }: Pick<Provider, 'is_set_up' | 'own_keys'>): boolean {
  return isSetUp === true || ownKeys > 0;
}
