import { lockDirectory, type DirectoryLock } from '@weir/directory-lock';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What real parts are made from, kept from one run to the next. */
export const CACHE = join(__dirname, '..', '..', '..', '..', '.tmp');
const MAKE_TIMEOUT_MS = 10 * 60_000;
const LOOK_AGAIN_MS = 200;

type Kept = {
  /** In the cache, of nothing else. */
  readonly name: string;
  /** Whether it is there, and whole. */
  readonly isKept: () => boolean;
  readonly make: () => Promise<void>;
  /** The folder of the cache. */
  readonly cache?: string;
};

/**
 * Makes what is kept in the cache, unless it is there. Suites that need the same wait for the first of them: two that make it at
 * a time would take from each other what is half made, and both cores for a minute.
 */
export async function makeOnce({ name, isKept, make, cache = CACHE }: Kept): Promise<void> {
  if (isKept()) return;
  await mkdir(cache, { recursive: true });
  const lock = await waitForLock(cache, `.making-${name}`);
  try {
    if (!isKept()) await make();
  } finally {
    lock.release();
  }
}

async function waitForLock(cache: string, name: string): Promise<DirectoryLock> {
  const giveUpAtMs = Date.now() + MAKE_TIMEOUT_MS;
  for (;;) {
    const lock = lockDirectory(cache, name);
    if (lock !== undefined) return lock;
    if (Date.now() > giveUpAtMs) throw new Error(`another process has been making it for ${MAKE_TIMEOUT_MS} ms: ${name}`);
    await pause(LOOK_AGAIN_MS);
  }
}
