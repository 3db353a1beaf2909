import type { secretAlertEnv } from '@weir/config';
import type { GuardedFetcher } from '@weir/guarded-fetch';
import { createMemoryRateLimiter } from '@weir/limits';
import type { z } from 'zod';
import type { SecretAlerts } from '../ports/secret-alerts';
import { createAlertKeys } from './create-alert-keys';

type SecretAlertsParts = {
  readonly fetcher: Pick<GuardedFetcher, 'read'>;
  readonly count: SecretAlerts['count'];
};

/** What takes reports of leaked keys; undefined where the settings name no one who may send them. */
export function createSecretAlerts(
  { SECRET_ALERT_KEYS_URL: url }: z.infer<typeof secretAlertEnv>,
  { fetcher, count }: SecretAlertsParts,
): SecretAlerts | undefined {
  if (url === undefined) return undefined;
  const now = (): number => performance.now();
  const fetchKeys = async (): Promise<string> => {
    const { status, text } = await fetcher.read({ url, field: 'SECRET_ALERT_KEYS_URL', owner: 'secret-alerts' });
    if (status !== 200) throw new Error(`SECRET_ALERT_KEYS_URL returned ${status}`);
    return text;
  };
  return { keys: createAlertKeys({ fetchKeys, now }), refusals: createMemoryRateLimiter({ now }), count };
}
