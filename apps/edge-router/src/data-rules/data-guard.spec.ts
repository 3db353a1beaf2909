import type { OrganizationSettings } from '@weir/access';
import { loadCatalog } from '@weir/model-catalog';
import { createDataGuard } from './data-guard';
import { readDataRequest } from './read-data-request';

const row = (id: string, more: object = {}) => ({
  id,
  modality: 'chat',
  provider: 'cloud',
  upstreamModel: 'one',
  vendor: 'acme',
  canonicalName: 'acme/one',
  prices: [{ version: 'v', validFrom: '2026-01-01', tiers: [{ threshold: 0, input: '0.000001', output: '0.000002' }] }],
  ...more,
});
const catalog = loadCatalog([
  {
    name: 'cloud.json',
    text: JSON.stringify([
      row('cloud/acme/one', { dataPolicy: { retention: true, training: false } }),
      row('cloud-eu/acme/one', { geolocation: 'EU', dataPolicy: { retention: false, training: false } }),
      row('cloud-us/acme/one', { geolocation: 'US' }),
    ]),
  },
]);
const organization = (changes: Partial<OrganizationSettings> = {}): OrganizationSettings =>
  ({ dataResidency: null, isZeroDataRetention: false, isTrainingAllowed: true, ...changes }) as OrganizationSettings;
const find = (id: string) => catalog.find(id) ?? catalog.list()[0]!;

describe('the data guard', () => {
  const guard = createDataGuard({ catalog, place: { region: 'eu', addresses: { us: 'https://us.gateway.example' } } });

  it('names where the same model is allowed', () => {
    const check = guard.createCheck(guard.decide(organization({ dataResidency: 'eu' }), {}, {}), () => true);

    expect(check(find('cloud-eu/acme/one'))).toBeUndefined();
    const refused = check(find('cloud-us/acme/one'));
    expect(refused).toMatchObject({ code: 'data_policy', status: 403, details: { field: 'model' } });
    expect(refused?.message).toContain('whose host is in US. The same model is allowed as "cloud/acme/one@eu".');
  });

  it('suggests no model that the caller cannot use here, and says whom to ask', () => {
    const check = guard.createCheck(guard.decide(organization({ dataResidency: 'eu' }), {}, {}), () => false);

    expect(check(find('cloud-us/acme/one'))?.message).toMatch(/host is in US\. Use another model, or ask an administrator which ones/);
  });

  it('names the address in the area that the data has to stay in', () => {
    expect(() => guard.decide(organization({ dataResidency: 'us' }), {}, {})).toThrow('Send the request to https://us.gateway.example.');
    expect(() => guard.decide(organization(), { 'x-weir-data-policy': 'residency=us' }, {})).toThrow('https://us.gateway.example');
  });

  it('lists what a request without rules of its own could use', () => {
    const allowed = (settings: Partial<OrganizationSettings>) =>
      catalog
        .list()
        .filter((record) => guard.isAllowed(organization(settings), record))
        .map(({ id }) => id);

    expect(allowed({})).toHaveLength(3);
    expect(allowed({ dataResidency: 'eu' })).toEqual(['cloud-eu/acme/one']);
    expect(allowed({ dataResidency: 'us' })).toEqual([]);
    expect(allowed({ isZeroDataRetention: true })).toEqual(['cloud-eu/acme/one']);
    expect(allowed({ isTrainingAllowed: false })).toEqual(['cloud-eu/acme/one', 'cloud/acme/one']);
  });
});

describe('what a request asks for itself', () => {
  it('comes by header or body, the body adding to the header', () => {
    expect(readDataRequest({}, {})).toEqual({});
    expect(readDataRequest({ 'x-weir-data-policy': 'zero-retention, residency=eu' }, {})).toEqual({
      isZeroRetention: true,
      residency: 'eu',
    });
    expect(readDataRequest({ 'x-weir-data-policy': 'zero-retention' }, { weir: { data_policy: 'no-training' } })).toEqual({
      isZeroRetention: true,
      isTrainingAllowed: false,
    });
  });

  it('is refused when it names different areas, in one place or two', () => {
    const ask = (area: string) => () =>
      readDataRequest({ 'x-weir-data-policy': 'residency=eu' }, { weir: { data_policy: `residency=${area}` } });
    expect(ask('eu')).not.toThrow();
    expect(ask('us')).toThrow('different areas');
    expect(() => readDataRequest({ 'x-weir-data-policy': 'residency=eu, residency=us' }, {})).toThrow('different areas');
  });

  it.each([['zero'], ['residency=mars'], [true], [{ zdr: true }], [['no-training']]])('is refused when it is %j', (value) => {
    expect(() => readDataRequest({}, { weir: { data_policy: value } })).toThrow('weir.data_policy must be words');
  });
});
