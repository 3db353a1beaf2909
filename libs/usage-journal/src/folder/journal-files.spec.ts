import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeDirectory } from '../__fixtures__/open-journal';
import { DISK_CALLS, NODE_FILES } from './journal-files';

/** Waits for the mark, takes everything out of the pipe then, and says for how long it saw the mark before. */
const DRAINER = `
  const { workerData: { path, calls }, parentPort } = require('node:worker_threads');
  const { openSync, readSync, closeSync } = require('node:fs');
  const deadline = performance.now() + 10_000;
  const fd = openSync(path, 'r+');
  parentPort.postMessage('there');
  while (Atomics.load(calls, 0) === 0 && performance.now() < deadline);
  const begun = performance.now();
  while (Atomics.load(calls, 0) === 1 && performance.now() < begun + 300);
  const seenMs = performance.now() - begun;
  const bytes = Buffer.alloc(1024 * 1024);
  for (let left = bytes.length; left > 0;) left -= readSync(fd, bytes, 0, left);
  closeSync(fd);
  parentPort.postMessage(seenMs);
`;

describe('the disk of a journal', () => {
  it('shows other threads that a write has not returned', async () => {
    const path = join(makeDirectory(), 'pipe');
    execFileSync('mkfifo', [path]);
    const drainer = new Worker(DRAINER, { eval: true, workerData: { path, calls: DISK_CALLS } });
    await once(drainer, 'message');
    const fd = openSync(path, 'r+');
    try {
      // More than any pipe takes: it waits, as for a disk that is frozen.
      const bytes = Buffer.alloc(1024 * 1024);
      expect(NODE_FILES.writeSync(fd, bytes, 0, bytes.length)).toBe(bytes.length);
      expect(Atomics.load(DISK_CALLS, 0)).toBe(0);
      const [seenMs] = (await once(drainer, 'message')) as [number];
      expect(seenMs).toBeGreaterThanOrEqual(300);
    } finally {
      closeSync(fd);
      await drainer.terminate();
    }
  });

  it('is not waited for any more when a call failed', () => {
    expect(() => NODE_FILES.writeSync(-1, Buffer.alloc(1), 0, 1)).toThrow();
    expect(() => NODE_FILES.openSync('/nowhere/at/all', 'r')).toThrow(/ENOENT/);
    expect(Atomics.load(DISK_CALLS, 0)).toBe(0);
  });
});
