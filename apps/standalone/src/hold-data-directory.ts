import { describeLockHolder, lockDirectory, makePrivateDirectory } from '@weir/directory-lock';

const LOCK_FILE = 'gateway.lock';

/**
 * Takes a data directory for this process alone; two gateways on one directory would undo each other's work. The lock
 * ends with its holder, so nothing is left over of one that was killed. Returns how to give it back.
 */
export function holdDataDirectory(dataDir: string): () => void {
  const release = tryHoldDataDirectory(dataDir);
  if (release !== undefined) return release;
  const holder = describeLockHolder(dataDir, LOCK_FILE);
  throw new Error(`another gateway (${holder}) uses the data directory ${dataDir}. Stop it, or set DATA_DIR to another directory.`);
}

/** The same, returning undefined while another process has the directory. */
export function tryHoldDataDirectory(dataDir: string): (() => void) | undefined {
  // Root hands the database inside to another user, who has to get there.
  makePrivateDirectory(dataDir, { isPassable: process.getuid?.() === 0 });
  return lockDirectory(dataDir, LOCK_FILE)?.release;
}
