import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeBlobStore } from '../conformance/blob-store.conformance';
import { createFilesystemBlobStore } from './create-filesystem-blob-store';

const directory = mkdtempSync(join(tmpdir(), 'weir-blobs-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('blobs in a directory', () => {
  describeBlobStore(() => {
    let now = 0;
    const store = createFilesystemBlobStore({ directory: join(directory, 'conformance'), now: () => now });
    return Promise.resolve({ store, setNow: (ms: number) => void (now = ms) });
  });

  it('sweeps what a killed process left half-written, once it must be dead', async () => {
    const store = createFilesystemBlobStore({ directory, now: Date.now });
    const folder = join(directory, 'file', '00');
    mkdirSync(folder, { recursive: true });
    const [old, fresh] = ['a', 'b'].map((letter) => join(folder, `file-${letter.repeat(24)}`)) as [string, string];
    for (const path of [old, fresh]) writeFileSync(path, 'half');
    utimesSync(old, 1, 1);
    expect(await store.sweep(Date.now())).toBe(1);
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
