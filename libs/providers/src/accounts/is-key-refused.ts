import { isAccountRefusal } from '@weir/errors';
import type { Provider } from '../provider/provider';
import { sendProbe } from './create-provider-accounts';

/**
 * Whether a provider refuses the key it is called with, found out without a billed request. False where that is not
 * certain: where it cannot be asked, or does not answer.
 */
export async function isKeyRefused(provider: Provider): Promise<boolean> {
  const answer = await sendProbe(provider).catch(() => undefined);
  return answer?.error !== undefined && isAccountRefusal(answer.error.code);
}
