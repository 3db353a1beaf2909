import { z } from 'zod';
import { httpUrl } from '../values';

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
