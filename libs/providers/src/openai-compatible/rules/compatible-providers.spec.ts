import entries from './compatible-providers.json';
import { compatibleProvider, compatibleProviders } from './compatible-provider.schema';

const entry = {
  id: 'acme',
  name: 'Acme',
  baseUrl: 'https://acme.example/v1',
  env: { apiKey: ['ACME_API_KEY'], baseUrl: [] },
  endpoints: { chat: '/chat/completions' },
};

describe('the entries of compatible providers', () => {
  it('all fit the schema', () => {
    expect(compatibleProviders.parse(entries).map((one) => one.id)).toEqual(entries.map((one) => one.id));
  });

  it('are refused with an unknown knob, a wrong value or an id twice', () => {
    expect(compatibleProviders.safeParse([entry]).success).toBe(true);
    expect(compatibleProvider.safeParse({ ...entry, renameParam: {} }).success).toBe(false);
    expect(compatibleProvider.safeParse({ ...entry, cancel: 'maybe' }).success).toBe(false);
    expect(compatibleProvider.safeParse({ ...entry, baseUrl: 'acme' }).success).toBe(false);
    expect(compatibleProviders.safeParse([entry, entry]).success).toBe(false);
  });

  it('name paths and addresses in the form that joins to one', () => {
    for (const one of compatibleProviders.parse(entries)) {
      for (const address of [one.baseUrl, ...Object.values(one.regions)])
        expect([one.id, address]).toEqual([one.id, expect.not.stringMatching(/\/$/)]);
      for (const path of Object.values(one.endpoints)) expect([one.id, path]).toEqual([one.id, expect.stringMatching(/^\/[a-z]/)]);
    }
  });

  it('mark a provider that bills cancelled replies whole as one to be drained', () => {
    expect(entries.filter((one) => 'cancel' in one && one.cancel === 'drain').map((one) => one.id)).toContain('groq');
  });
});
