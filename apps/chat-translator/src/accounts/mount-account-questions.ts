import { createEnvLookup } from '@weir/config';
import { ACCOUNT_QUESTION_PATH } from '@weir/contracts';
import type { ServiceOptions } from '@weir/http-server';
import { createProviderAccounts, type ProviderAccountsParts } from '@weir/providers';
import { createTransitSealer } from '@weir/sealing';
import { createAccountHandler } from './handle-account-questions';

/** Lets the management interface of another process ask about accounts at providers. */
export function mountAccountHandler(
  passportSecret: string,
  parts: Pick<ProviderAccountsParts, 'transport' | 'rows'>,
): NonNullable<ServiceOptions['mount']> {
  const accounts = createProviderAccounts({ ...parts, env: createEnvLookup() });
  const handle = createAccountHandler({ accounts, seal: createTransitSealer(passportSecret), now: Date.now });
  return (app) => void app.post(ACCOUNT_QUESTION_PATH, handle);
}
