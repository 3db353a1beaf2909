import type { Principal } from '@weir/access';
import { GatewayError } from '@weir/errors';
import type { ManagementParts } from '../route/management-parts';

/** Whose key it is. Rejects with 401 for one that is unknown, expired or revoked: the session has ended, or begins with none. */
export async function authenticateKey({ authenticate }: Pick<ManagementParts, 'authenticate'>, key: string): Promise<Principal> {
  try {
    return await authenticate({ headers: { authorization: `Bearer ${key}` } });
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_credentials') throw new GatewayError('unusable_key', error.message);
    throw error;
  }
}
