import { createProviderDirectory } from './provider-directory';
import { checkProviderRows, createCompatibleRows } from './compatible-rows';

const acme = {
  id: 'acme',
  name: 'Acme',
  baseUrl: 'https://acme.example/v1',
  env: { apiKey: ['ACME_API_KEY'], baseUrl: [] },
  endpoints: { chat: '/chat/completions' },
};
const KEYS: Readonly<Record<string, string>> = { ACME_API_KEY: 'a-key-0123456789', GROQ_API_KEY: 'another-key-0123456789' };
const transport = () => Promise.reject(new Error('nothing is called'));

function open() {
  const rows = createCompatibleRows();
  return { rows, directory: createProviderDirectory({ env: (name) => KEYS[name], transport, rows }) };
}

it('adds a provider to those that are used already, changes it, and takes it away again', () => {
  const { rows, directory } = open();
  const groq = directory.find('groq');
  expect([directory.isConfigured('acme'), directory.settingsOf('acme')]).toEqual([false, undefined]);

  rows.take([acme]);
  expect([directory.find('acme')?.baseUrl, directory.settingsOf('acme')]).toEqual(['https://acme.example/v1', 'ACME_API_KEY']);
  expect(directory.describe().find(({ id }) => id === 'acme')).toMatchObject({ name: 'Acme', isSetUp: true });
  rows.take([{ ...acme, baseUrl: 'https://eu.acme.example/v1' }]);
  expect(directory.find('acme')?.baseUrl).toBe('https://eu.acme.example/v1');
  rows.take([]);

  expect([directory.find('acme'), directory.known().includes('acme')]).toEqual([undefined, false]);
  // What did not change is the provider that it was, with what it remembers.
  expect(directory.find('groq')).toBe(groq);
});

it('makes no new providers of the same rows, and puts its own in the place of one of the release', () => {
  const { rows, directory } = open();
  rows.take([{ ...acme, id: 'groq', env: { apiKey: ['GROQ_API_KEY'], baseUrl: [] } }]);
  const [version, groq] = [rows.version(), directory.find('groq')];
  rows.take([{ ...acme, id: 'groq', env: { apiKey: ['GROQ_API_KEY'], baseUrl: [] } }]);

  expect([rows.version() === version, groq?.baseUrl, directory.find('groq') === groq]).toEqual([true, 'https://acme.example/v1', true]);
});

it.each<[string, object[], string]>([
  ['a setting that there is none of', [{ ...acme, colour: 'red' }], 'provider 1 (acme)'],
  ['an address that is none', [acme, { ...acme, id: 'other', baseUrl: 'acme' }], 'provider 2 (other): baseUrl'],
  ['a provider with an interface of its own', [{ ...acme, id: 'vertex' }], 'interface of its own'],
  ['two of one id', [acme, acme], 'the same id'],
])('refuses %s, and changes nothing', (_, own, problem) => {
  const { rows, directory } = open();
  const version = rows.version();
  expect(() => rows.take(own)).toThrow(problem);
  expect(() => checkProviderRows(own)).toThrow(problem);
  expect([rows.version() === version, directory.isConfigured('acme')]).toEqual([true, false]);
});
