import { httpUrls, passportEnv } from '@weir/config';
import { createTransitSealer } from '@weir/sealing';
import { z } from 'zod';
import type { ManagementParts } from '../route/management-parts';
import { createWorkerProviderAccounts } from './create-worker-provider-accounts';

/** Who is asked about accounts at providers, where services run apart. Without a URL no one is. */
export const accountsEnv = z.object({
  CHAT_TRANSLATOR_URL: httpUrls.optional(),
  /** The same as the worker's: questions are sealed with it. */
  PASSPORT_SECRET: passportEnv.shape.PASSPORT_SECRET.optional(),
});

/** Throws for a worker without the secret that it listens to. */
export function openProviderAccounts(env: z.infer<typeof accountsEnv>): Pick<ManagementParts, 'providerAccounts'> {
  const { CHAT_TRANSLATOR_URL: urls, PASSPORT_SECRET: secret } = env;
  if (urls === undefined) return {};
  if (secret === undefined) throw new Error('CHAT_TRANSLATOR_URL needs PASSPORT_SECRET beside it: questions are sealed with it.');
  return { providerAccounts: createWorkerProviderAccounts({ urls, seal: createTransitSealer(secret), now: Date.now }) };
}
