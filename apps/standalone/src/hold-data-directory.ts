import {
  describeLockHolder,
  isProcessAlive,
  lockDirectory,
  makePrivateDirectory,
  readLockHolder,
  type DirectoryLock,
} from '@weir/directory-lock';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const LOCK_FILE = 'gateway.lock';
const LEFT_OVERS_MS = 15_000;
const TRY_EVERY_MS = 100;

/**
 * Takes a data directory for this process alone; two gateways on one directory would undo each other's work. The lock
 * ends with its holder, so nothing is left over of one that was killed.
 */
export function holdDataDirectory(dataDir: string): DirectoryLock {
  const lock = tryLockDataDirectory(dataDir);
  if (lock !== undefined) return lock;
  throw describeTaken(dataDir);
}

/**
 * The same for processes that are started with the lock: it ends with the last of them. What a killed one left is on its way
 * out, and is waited for.
 */
export async function lockDataDirectory(dataDir: string): Promise<DirectoryLock> {
  for (const until = performance.now() + LEFT_OVERS_MS; ; await pause(TRY_EVERY_MS)) {
    const lock = tryLockDataDirectory(dataDir);
    if (lock !== undefined) return lock;
    const holder = readLockHolder(dataDir, LOCK_FILE);
    const isLeftOver = holder?.host === hostname() && !isProcessAlive(holder.pid);
    if (!isLeftOver || performance.now() > until) throw describeTaken(dataDir);
  }
}

/** The same, returning undefined while another process has the directory. */
export function tryHoldDataDirectory(dataDir: string): (() => void) | undefined {
  return tryLockDataDirectory(dataDir)?.release;
}

function tryLockDataDirectory(dataDir: string): DirectoryLock | undefined {
  // Root hands the database inside to another user, who has to get there.
  makePrivateDirectory(dataDir, { isPassable: process.getuid?.() === 0 });
  return lockDirectory(dataDir, LOCK_FILE);
}

function describeTaken(dataDir: string): Error {
  const holder = describeLockHolder(dataDir, LOCK_FILE);
  return new Error(`another gateway (${holder}) uses the data directory ${dataDir}. Stop it, or set DATA_DIR to another directory.`);
}
