import { digestApiKey } from '@weir/access';
import { seedOrganization, type Database, type SeededOrganization } from '@weir/database';

const ORGANIZATION = 'Default organization';
const EMAIL = 'admin@localhost';

/** Makes `key` an administrator key of the default organization, which is made if need be. Repeating it changes nothing. */
export function seedFirstKey(database: Database, key: string, pepper: string): Promise<SeededOrganization> {
  return seedOrganization({
    database,
    name: ORGANIZATION,
    email: EMAIL,
    apiKeyHash: digestApiKey(key, pepper),
    apiKeyPrefix: key.slice(0, 10),
    apiKeyLast4: key.slice(-4),
  });
}
