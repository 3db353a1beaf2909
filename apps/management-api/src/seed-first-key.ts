import { isPlausibleApiKey, type KeyPeppers } from '@weir/access';
import { seedOrganization, type Database, type SeededOrganization } from '@weir/database';
import { hashSecret } from './records/api-key-secret';

const ORGANIZATION = 'Default organization';
const EMAIL = 'admin@localhost';

/**
 * Makes `key` an administrator key of the default organization, which is made if need be. Repeating it changes nothing,
 * and a key that was revoked or rotated since stays what it became.
 * Throws for a key that would be refused when it is used: one of our own form with a wrong checksum.
 */
export async function seedFirstKey(database: Database, key: string, peppers: KeyPeppers): Promise<SeededOrganization> {
  if (!isPlausibleApiKey(key)) {
    throw new Error(
      'BOOTSTRAP_API_KEY has the form of a Weir key, but its checksum is wrong: it was mistyped. Choose any other text of 20 or more characters.',
    );
  }
  const { hash, formerHash, formerPepperVersion, ...rest } = hashSecret(key, peppers);
  return seedOrganization({
    database,
    name: ORGANIZATION,
    isOperator: true,
    email: EMAIL,
    apiKeyHash: Buffer.from(hash),
    ...rest,
    ...(formerHash === null || formerPepperVersion === null
      ? {}
      : { former: { hash: Buffer.from(formerHash), pepperVersion: formerPepperVersion } }),
    apiKeyPrefix: key.slice(0, 10),
    apiKeyLast4: key.slice(-4),
  });
}
