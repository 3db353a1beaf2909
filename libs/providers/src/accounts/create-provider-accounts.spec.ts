import { Readable } from 'node:stream';
import type { UpstreamCall, UpstreamTransport } from '@weir/upstream-http';
import { createProviderAccounts } from './create-provider-accounts';

type Answer = { readonly status: number; readonly text: string };

function answerWith(answer: (call: UpstreamCall) => Answer) {
  const calls: UpstreamCall[] = [];
  const transport = (call: UpstreamCall) => {
    calls.push(call);
    const { status, text } = answer(call);
    return Promise.resolve({ status, headers: {}, body: Readable.from([Buffer.from(text)]) });
  };
  return { calls, accounts: createProviderAccounts({ transport: transport as unknown as UpstreamTransport }) };
}

const unknownModel = { status: 404, text: '{"error":{"message":"The model does not exist","code":"model_not_found"}}' };
const { accounts: silent } = answerWith(() => unknownModel);

describe('what an account is made of', () => {
  it.each([
    ['openai', { api_key: 'sk-own' }],
    ['anthropic', { api_key: 'sk-own' }],
    ['bedrock', { access_key_id: 'AKIA', secret_access_key: 'own', region: 'eu-central-1' }],
    ['bedrock', { api_key: 'own' }],
    ['azure', { api_key: 'own', resource_name: 'acme-east' }],
    ['vertex', { credentials: '{"type":"service_account","project_id":"p"}' }],
    ['vertex', { api_key: 'own', project: 'p', location: 'global' }],
  ])('%s takes %j, and opens with it', (provider, fields) => {
    expect(silent.findProblem(provider, fields)).toBeUndefined();
    expect(silent.open(provider, fields)?.id).toBe(provider);
  });

  it.each([
    ['unheard-of', { api_key: 'x' }, 'unknown-provider', undefined],
    ['openai', { api_key: 'x', base_url: 'http://169.254.169.254' }, 'unknown-field', 'base_url'],
    ['openai', { api_key: 'x', constructor: 'x' }, 'unknown-field', 'constructor'],
    ['constructor', { api_key: 'x' }, 'unknown-provider', undefined],
    ['openai', { api_key: 'x\r\nhost: elsewhere' }, 'value', 'api_key'],
    ['bedrock', { access_key_id: 'AKIA' }, 'value', 'secret_access_key'],
    ['bedrock', { api_key: 'x', region: 'x.elsewhere.example/' }, 'value', 'region'],
    ['bedrock', { api_key: 'x', access_key_id: 'AKIA' }, 'value', 'access_key_id'],
    ['azure', { api_key: 'x' }, 'value', 'resource_name'],
    ['azure', { api_key: 'x', resource_name: 'a.elsewhere.example#' }, 'value', 'resource_name'],
    ['vertex', { credentials: 'no JSON' }, 'value', 'credentials'],
    ['vertex', { credentials: '{"type":"external_account","credential_source":{"executable":{"command":"id"}}}' }, 'value', 'credentials'],
    ['vertex', { credentials: '{"type":"service_account","universe_domain":"elsewhere.example"}' }, 'value', 'credentials'],
  ])('%s does not take %j', (provider, fields, kind, field) => {
    expect(silent.findProblem(provider, fields as Record<string, string>)).toMatchObject({ kind, ...(field && { field }) });
  });
});

describe('asking a provider', () => {
  it('sends the account and no other, and takes any answer that is not about the account as a yes', async () => {
    const { accounts, calls } = answerWith(() => unknownModel);

    expect(await accounts.probe('openai', { api_key: 'sk-own' })).toEqual({ ok: true });
    expect(calls).toMatchObject([{ url: 'https://api.openai.com/v1/chat/completions', headers: { authorization: 'Bearer sk-own' } }]);
    expect(await accounts.probe('sandbox', { api_key: 'sk-own' })).toEqual({ ok: true });
  });

  it.each([
    ['elevenlabs', 'https://api.elevenlabs.io/v1/text-to-speech/EXAVITQu4vr4xnSDxMaL', { 'xi-api-key': 'own' }],
    ['deepgram', 'https://api.deepgram.com/v1/speak?model=weir-account-test', { authorization: 'Token own' }],
  ])('asks %s, which has no chat, for speech', async (provider, url, headers) => {
    const { accounts, calls } = answerWith(() => unknownModel);
    const { accounts: refused } = answerWith(() => ({ status: 401, text: '{}' }));

    expect(await accounts.probe(provider, { api_key: 'own' })).toEqual({ ok: true });
    expect(calls).toMatchObject([{ url, headers }]);
    expect(await refused.probe(provider, { api_key: 'own' })).toMatchObject({ ok: false });
  });

  it('returns why the provider refuses, without repeating the secret', async () => {
    const key = 'own-secret-0123456789';
    const { accounts } = answerWith(() => ({ status: 401, text: `{"error":{"message":"Incorrect API key provided: ${key}"}}` }));

    const probe = await accounts.probe('openai', { api_key: key });

    expect(probe).toMatchObject({ ok: false, why: expect.stringContaining('Incorrect API key') as string });
    expect(JSON.stringify(probe)).not.toContain(key);
  });

  it('says no when the provider fails or cannot be reached', async () => {
    const { accounts } = answerWith(() => ({ status: 503, text: 'busy' }));
    const unreachable = createProviderAccounts({ transport: () => Promise.reject(new Error('connect ECONNREFUSED')) });

    expect(await accounts.probe('openai', { api_key: 'x' })).toMatchObject({ ok: false });
    expect(await unreachable.probe('openai', { api_key: 'x' })).toEqual({ ok: false, why: 'connect ECONNREFUSED' });
  });

  it('shows the end of the secret, never of a key file', () => {
    expect(silent.secretOf('openai', { api_key: 'k' })).toBe('k');
    expect(silent.secretOf('bedrock', { access_key_id: 'a', secret_access_key: 's' })).toBe('s');
    expect(silent.secretOf('vertex', { credentials: '{}' })).toBe('');
  });
});
