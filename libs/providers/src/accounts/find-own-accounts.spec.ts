import { GatewayError } from '@weir/errors';
import { createProviderAccounts, createProviderDirectory, findOwnAccounts } from '..';

const transport = () => Promise.reject(new Error('no provider is called here'));
const providers = createProviderDirectory({ env: (name) => (name === 'OPENAI_API_KEY' ? 'sk-of-the-gateway' : undefined), transport });
const accounts = createProviderAccounts({ transport });

function harness(limits: { accountsMax?: number; keptMs?: number } = {}) {
  const opened: string[] = [];
  const find = findOwnAccounts({
    providers,
    accounts,
    openCredential: (credential, providerId) => {
      if (!credential.startsWith('sealed:')) throw new Error('not sealed here');
      opened.push(`${providerId} ${credential}`);
      return JSON.stringify({ api_key: credential.slice('sealed:'.length) });
    },
    ...limits,
  });
  return { find, opened };
}

const call = { path: '/chat/completions', body: '{}' };
const authorize = (provider: ReturnType<ReturnType<typeof harness>['find']>) => provider?.authorize(call, {} as never);

describe('findOwnAccounts', () => {
  it('returns the gateway’s provider without a credential and the organization’s with one', () => {
    const { find } = harness();

    expect(authorize(find('openai'))).toMatchObject({ authorization: 'Bearer sk-of-the-gateway' });
    expect(authorize(find('openai', 'sealed:sk-own'))).toMatchObject({ authorization: 'Bearer sk-own' });
    expect(find('groq')).toBeUndefined();
    expect(authorize(find('groq', 'sealed:gsk-own'))).toMatchObject({ authorization: 'Bearer gsk-own' });
  });

  it('opens an account once, and a rotated one anew; the oldest go when there are too many', () => {
    const { find, opened } = harness({ accountsMax: 2 });
    const first = find('openai', 'sealed:one');

    expect(find('openai', 'sealed:one')).toBe(first);
    expect(authorize(find('openai', 'sealed:two'))).toMatchObject({ authorization: 'Bearer two' });
    find('openai', 'sealed:three');
    expect(find('openai', 'sealed:one')).not.toBe(first);
    expect(opened.filter((line) => line.endsWith(':one'))).toHaveLength(2);
  });

  it('throws what cannot be opened, and knows no account without its fields', () => {
    const { find } = harness();

    expect(() => find('openai', 'anything')).toThrow('not sealed here');
    expect(find('azure', 'sealed:key-without-resource')).toBeUndefined();
  });

  it('says that the organization’s own key was refused, and does not show it', () => {
    const provider = harness().find('openai', 'sealed:sk-own-secret');
    const error = provider?.readError(401, {}, '{"error":{"message":"Incorrect API key provided: sk-own-secret"}}');

    expect(error).toBeInstanceOf(GatewayError);
    expect(error?.code).toBe('provider_credentials');
    expect(error?.message).toBe("The provider openai refused the organization's own key (status 401). Rotate or delete it.");
    expect(provider?.readError(400, {}, '{"error":{"message":"bad"}}').code).toBe('provider_refused');
  });
});
