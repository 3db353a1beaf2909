import { createProviderAccounts } from '../accounts/create-provider-accounts';
import { createProviderDirectory } from '../directory/provider-directory';
import { cleanText } from './clean-text';
import { watchSecrets } from './known-secrets';
import { toStreamFailure } from './stream-failure';

const SECRET = '5f4dcc3b5aa765d61d8327deb882cf99';
const NEVER = { transport: () => Promise.reject(new Error('no provider is called')) };

it('a key of any shape is taken out of every text once a provider was opened with it', () => {
  const said = { error: { message: `Incorrect key ${SECRET}` } };
  expect(toStreamFailure(said)).toMatchObject({ message: `Incorrect key ${SECRET}` });

  createProviderDirectory({ env: (name) => (name === 'MISTRAL_API_KEY' ? ` ${SECRET}\n` : undefined), ...NEVER });

  expect(toStreamFailure(said)).toMatchObject({ message: 'Incorrect key [removed]' });
  expect(cleanText(`${' '.repeat(3_990)}${SECRET}`)).toBe('[removed]');
  expect(cleanText(`${'\n'.repeat(64 * 1024 - 10)}${SECRET}`)).toBe('[removed]');
  expect(cleanText(`${'\n'.repeat(1024 * 1024 - 10)}${SECRET}`)).toBe('[removed]');
  expect(cleanText(`${SECRET.repeat(312)} ${SECRET}`)).not.toContain(SECRET.slice(0, 8));
});

it('what is no secret stays', () => {
  createProviderDirectory({ env: (name) => (name.endsWith('BASE_URL') ? 'https://models.example/v1' : undefined), ...NEVER });

  expect(cleanText('ask https://models.example/v1')).toBe('ask https://models.example/v1');
});

it('the key of an organization is held no longer than its account', () => {
  jest.useFakeTimers();
  const own = '0cc175b9c0f1b6a831c399e269772661';
  createProviderAccounts(NEVER).open('mistral', { api_key: own });

  jest.advanceTimersByTime(5 * 60_000 - 1);
  expect(cleanText(own)).toBe('[removed]');
  jest.advanceTimersByTime(1);
  expect(cleanText(own)).toBe(own);
  jest.useRealTimers();
});

it('a key that was removed for lack of space and came back is kept as long as any other', () => {
  jest.useFakeTimers();
  const keep = (key: string): void => void watchSecrets(() => key, 5 * 60_000)('API_KEY');
  const own = 'e4da3b7fbbce2345d7772b0674a318d5';
  keep(own);
  for (let at = 0; at < 2_000; at += 1) keep(`another key of an organization, number ${at}`);
  expect(cleanText(own)).toBe(own);
  jest.advanceTimersByTime(60_000);
  keep(own);

  jest.advanceTimersByTime(4 * 60_000 + 1);
  expect(cleanText(own)).toBe('[removed]');
  jest.useRealTimers();
});
