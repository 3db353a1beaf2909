import { EMPTY_CREDENTIAL, findCredentialErrors, labelOf, listKeyFields, nameWay, toCreateCredential, toSecret } from './credential-form';

const PLAIN = { id: 'plain', key_ways: [['api_key']], key_optional: [] };
const CLOUD = { id: 'cloud', key_ways: [['api_key'], ['access_id', 'access_secret']], key_optional: ['region'] };

it('sends one key as it is, and several fields by their names', () => {
  expect(toCreateCredential(PLAIN, { ...EMPTY_CREDENTIAL, values: { api_key: ' secret ' } })).toEqual({
    provider: 'plain',
    mode: 'prefer',
    api_key: 'secret',
  });
  const values = { access_id: 'id', access_secret: 'secret', region: ' ', api_key: 'of the other way' };
  expect(toCreateCredential(CLOUD, { name: ' main ', mode: 'only', way: 1, values })).toEqual({
    ...{ provider: 'cloud', mode: 'only', name: 'main' },
    fields: { access_id: 'id', access_secret: 'secret' },
  });
  expect(toSecret(CLOUD, { ...EMPTY_CREDENTIAL, values: { api_key: 'k', region: 'eu' } })).toEqual({
    fields: { api_key: 'k', region: 'eu' },
  });
});

it('asks for one key where nothing is known of a provider', () => {
  expect(listKeyFields({ key_ways: [], key_optional: [] }, 0)).toEqual([{ name: 'api_key', isOptional: false }]);
});

it('names the fields that are missing', () => {
  expect(findCredentialErrors(PLAIN, EMPTY_CREDENTIAL, true)['fields.api_key']).toBe('is needed');
  const half = { ...EMPTY_CREDENTIAL, way: 1, values: { access_id: 'id' } };
  expect(findCredentialErrors(CLOUD, half, false)['fields.access_secret']).toBe('is needed');
  expect(findCredentialErrors(CLOUD, { ...half, values: { access_id: 'id', access_secret: 's' } }, true)).toEqual({});
});

it('says in words what a field is', () => {
  expect([labelOf('api_key'), labelOf('resource_name'), nameWay(['api_key', 'project'])]).toEqual([
    'API key',
    'Resource name',
    'API key and project',
  ]);
});
