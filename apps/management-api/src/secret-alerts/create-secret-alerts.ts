import { httpUrl } from '@weir/config';
import type { GuardedFetcher } from '@weir/guarded-fetch';
import { createMemoryRateLimiter } from '@weir/limits';
import { z } from 'zod';
import type { SecretAlerts } from '../ports/secret-alerts';
import { createAlertKeys } from './create-alert-keys';

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/;

/** Where a scanner for leaked keys says by which keys it signs its reports. Without it, reports are taken from no one. */
export const secretAlertEnv = z.object({
  SECRET_ALERT_KEYS_URL: httpUrl
    .refine(
      (url) => url.startsWith('https://') || LOOPBACK.test(url),
      'must be an https address: a server at this address decides whose reports revoke keys',
    )
    .optional(),
});

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
