import { digestApiKey, isPlausibleApiKey } from '@weir/access';
import { seedOrganization, type Database, type SeededOrganization } from '@weir/database';

const ORGANIZATION = 'Default organization';
const EMAIL = 'admin@localhost';

/**
 * Makes `key` an administrator key of the default organization, which is made if need be. Repeating it changes nothing.
 * Throws for a key that would be refused at the door: one of our own form with a wrong checksum.
 */
export async function seedFirstKey(database: Database, key: string, pepper: string): Promise<SeededOrganization> {
  if (!isPlausibleApiKey(key)) {
    throw new Error(
      'BOOTSTRAP_API_KEY has the form of a Weir key, but its checksum is wrong: it was mistyped. Choose any other text of 20 or more characters.',
    );
  }
  return seedOrganization({
    database,
    name: ORGANIZATION,
    email: EMAIL,
    apiKeyHash: digestApiKey(key, pepper),
    apiKeyPrefix: key.slice(0, 10),
    apiKeyLast4: key.slice(-4),
  });
}
