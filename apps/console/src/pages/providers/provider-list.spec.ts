import { filterProviders, isTroubled, type Provider } from './provider-list';
import { readProvidersSearch } from './providers-search';

const HEALTH: Provider['health'] = {
  state: 'ok',
  error_share: 0,
  has_few_attempts: false,
  latency_ms: { stream: 100, whole: null },
  ejected_until: null,
  seen_by: 1,
};

function provider(id: string, more: Partial<Provider> = {}): Provider {
  const none = { needs: [], key_ways: [], key_optional: [], accounts: [], models: 0, regions: [], places: [], model_health: [] };
  return { id, name: id.toUpperCase(), is_set_up: true, own_keys: 0, health: HEALTH, ...none, ...more };
}

const ALL = [
  provider('zed'),
  provider('off', { is_set_up: false }),
  provider('own', { is_set_up: false, own_keys: 2 }),
  provider('ill', { health: { ...HEALTH, state: 'ejected' } }),
];
const ids = (search: Parameters<typeof filterProviders>[1]): string[] => filterProviders(ALL, search).map(({ id }) => id);

it('shows what can be used first, an own key being enough', () => {
  expect(ids({})).toEqual(['ill', 'own', 'zed', 'off']);
  expect(ids({ show: 'set-up' })).toEqual(['ill', 'own', 'zed']);
  expect(ids({ show: 'not-set-up' })).toEqual(['off']);
  expect(ids({ show: 'troubled' })).toEqual(['ill']);
  expect(ids({ search: ' ZE' })).toEqual(['zed']);
});

it('takes errors for trouble where there were enough attempts to say so', () => {
  expect(isTroubled({ health: { ...HEALTH, error_share: 0.5, has_few_attempts: true } })).toBe(false);
  expect(isTroubled({ health: { ...HEALTH, error_share: 0.05 } })).toBe(true);
  expect(isTroubled({ health: { ...HEALTH, state: 'unknown', error_share: null } })).toBe(false);
});

it('leaves out what an address cannot mean', () => {
  expect(readProvidersSearch({ show: 'everything', search: 'a' })).toEqual({ search: 'a' });
  expect(readProvidersSearch({ show: 'troubled' })).toEqual({ show: 'troubled' });
});
