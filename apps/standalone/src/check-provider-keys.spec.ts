import { createProviderDirectory } from '@weir/providers';
import { checkProviderKeys } from './check-provider-keys';
import { describeProviders } from './describe-providers';

const ENV: Record<string, string> = {
  OPENAI_API_KEY: 'sk-secret-0123456789',
  GROQ_API_KEY: 'gsk-old-0123456789',
  PROVIDER_GROQ_API_KEY: 'gsk-secret-0123456789',
};
const env = (name: string): string | undefined => ENV[name];

function directory(settings: Record<string, string> = ENV) {
  return createProviderDirectory({ env: (name) => settings[name], transport: () => Promise.reject(new Error('not called here')) });
}

describe('the providers at the start', () => {
  it('are those with a key, and settings of the best known others', () => {
    const [on, more] = describeProviders(directory());

    expect(on).toMatch(/^Providers on: groq, openai, .*sandbox/);
    expect(more).toMatch(/^More with ANTHROPIC_API_KEY, \w+_API_KEY and \d+ others: docs\/settings\.md$/);
  });

  it('are the sandbox alone without any key', () => {
    expect(describeProviders(directory({}))[0]).toBe('Providers on: sandbox');
  });

  it('are asked once for each key, and those that refuse it are reported with the setting and without the key', async () => {
    const warn = jest.fn();
    const asked: string[] = [];
    await checkProviderKeys({
      providers: directory(),
      env,
      log: { warn },
      isRefused: (provider) => {
        asked.push(provider.id);
        return Promise.resolve(provider.id === 'groq');
      },
    });

    expect(asked.sort()).toEqual(['groq', 'openai']);
    expect(warn.mock.calls).toEqual([
      [
        { provider: 'groq', setting: 'PROVIDER_GROQ_API_KEY' },
        'the provider groq refuses its key: correct PROVIDER_GROQ_API_KEY and start again',
      ],
    ]);
  });

  it('that do not answer are not reported', async () => {
    const warn = jest.fn();
    await checkProviderKeys({ providers: directory(), env, log: { warn } });

    expect(warn).not.toHaveBeenCalled();
  });
});
