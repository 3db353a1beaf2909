import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeDirectory, openJournal, recoverJournals, runAttempt } from './__fixtures__/open-journal';

/** What one version after this one would leave: a journal of a format that is not known yet, required or not. */
async function leaveJournal(directory: string, format: number, required: number): Promise<string> {
  const journal = openJournal(directory);
  runAttempt(journal, 'one');
  await journal.close();
  const folder = join(directory, journal.writerId);
  const segment = join(folder, readdirSync(folder).find((name) => name.endsWith('.seg')) ?? '');
  const bytes = readFileSync(segment);
  bytes.writeUInt16LE(format, 8);
  bytes.writeUInt16LE(required, 10);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 72)), 72);
  writeFileSync(segment, bytes);
  return segment;
}

const KNOWN = 2;

describe('a journal that a later version wrote', () => {
  it('stops the start with what to do where only later versions can read it, and stays as it is', async () => {
    const directory = makeDirectory();
    const segment = await leaveJournal(directory, KNOWN + 1, KNOWN + 1);
    const before = readFileSync(segment);

    expect(() => openJournal(directory)).toThrow(/1 of the usage journals in .* later version .* Start the version that wrote them/);
    expect(recoverJournals(directory)).toEqual([]);
    expect(readFileSync(segment)).toEqual(before);
  });

  it('is left as it is where the start is forced', async () => {
    const directory = makeDirectory();
    const segment = await leaveJournal(directory, KNOWN + 1, 0);
    const before = readFileSync(segment);
    const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };

    const journal = openJournal(directory, { isNewerAllowed: true, log });
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(recoverJournals(directory)).toEqual([]);
    runAttempt(journal, 'two');
    await journal.close();
    expect(readFileSync(segment)).toEqual(before);
  });

  it('is recovered where this version may read it, as during a rolling upgrade', async () => {
    const directory = makeDirectory();
    await leaveJournal(directory, KNOWN + 1, KNOWN);

    const own = openJournal(directory);
    const [left] = recoverJournals(directory);
    expect(left?.tail.nextSequence).toBe(1);
    expect(left?.stats().recovered).toMatchObject({ lostSequences: 0, damagedBytes: 0 });
    await left?.close();
    await own.close();
  });

  it('is recovered as before where it was written before formats were required', async () => {
    const directory = makeDirectory();
    await leaveJournal(directory, KNOWN, 0);

    const [left] = recoverJournals(directory);
    expect(left?.stats().recovered).toMatchObject({ lostSequences: 0, damagedBytes: 0 });
    await left?.close();
  });
});
