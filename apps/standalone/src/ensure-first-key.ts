import { generateApiKey, type KeyPeppers } from '@weir/access';
import type { Database } from '@weir/database';
import { seedFirstKey } from '@weir/management-api';

export type FirstKey = { readonly value: string; readonly isMade: boolean } | null;

/**
 * Sees to it that there is an organization with an administrator key. With `given`, that value is a usable key from now
 * on, unless it was revoked or rotated since. Without, a key is made for a database that has none; resolves to null when there
 * is one already, whose value no one knows any more.
 */
export async function ensureFirstKey(database: Database, peppers: KeyPeppers, given: string | undefined): Promise<FirstKey> {
  if (given === undefined && (await database.prisma.apiKey.count()) > 0) return null;
  const value = given ?? generateApiKey('live');
  const { isNew } = await seedFirstKey(database, value, peppers);
  return { value, isMade: isNew && given === undefined };
}
