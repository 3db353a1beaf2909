import { appendFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import {
  beginAttempt,
  endAttempt,
  listSegments,
  makeDirectory,
  openJournal,
  readIds,
  recoverJournal,
  recoverJournals,
  runAttempt,
} from './__fixtures__/open-journal';
import { NODE_FILES } from './folder/journal-files';
import { measureOtherJournals } from './folder/measure-other-journals';
import { writeWatermarkFile } from './folder/watermark-file';
import { createJournalShipper } from './shipping/create-journal-shipper';
import type { UsageJournal } from './usage-journal';

const onHarm = jest.fn();
let directory: string;
const journals: UsageJournal[] = [];

beforeEach(() => {
  directory = makeDirectory();
  onHarm.mockReset();
});
afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(more: Parameters<typeof openJournal>[1] = {}): UsageJournal {
  const journal = openJournal(directory, { onHarm, ...more });
  journals.push(journal);
  return journal;
}

function folderOf(journal: UsageJournal): string {
  return join(directory, journal.writerId);
}

describe('a journal that was emptied while no process had it', () => {
  /** Twenty attempts of a process that is gone, then this. */
  async function leaveBehind(): Promise<{ folder: string; writerId: string }> {
    const journal = openJournal(directory, { segmentBytesMax: 400 });
    for (let index = 0; index < 20; index += 1) runAttempt(journal, `r${index}:1`);
    await journal.close();
    return { folder: folderOf(journal), writerId: journal.writerId };
  }

  it.each<[string, (folder: string) => void]>([
    ['its segments are removed', (folder) => readdirSync(folder).forEach((name) => name.endsWith('.seg') && rmSync(join(folder, name)))],
    [
      'its segments are cut to nothing',
      (folder) => readdirSync(folder).forEach((name) => name.endsWith('.seg') && truncateSync(join(folder, name))),
    ],
    ['everything in it is removed', (folder) => readdirSync(folder).forEach((name) => rmSync(join(folder, name), { recursive: true }))],
  ])('reports it when %s, and gives none of its sequences out again', async (_what, empty) => {
    const { folder, writerId } = await leaveBehind();
    empty(folder);

    const journal = open();
    const orphans = recoverJournals(directory, { onHarm });

    expect(onHarm).toHaveBeenCalledTimes(1);
    expect(orphans.map((orphan) => orphan.writerId)).toEqual([writerId]);
    expect(journal.writerId).not.toBe(writerId);
    expect(runAttempt(journal, 'next:1')).toBe(0n);
    await Promise.all(orphans.map((orphan) => orphan.close()));
  });

  it('reports it when its last segment is cut below what is counted, as its watermark file or what is counted elsewhere says', async () => {
    const { folder, writerId } = await leaveBehind();
    const [path = '', ...others] = listSegments(directory, writerId).reverse();
    truncateSync(path, 100);
    const counted = 19n;
    const publish = jest.fn(() => Promise.resolve());
    const watermarks = { read: () => Promise.resolve(counted) };
    const orphan = recoverJournal(directory, { onHarm });
    expect(onHarm).not.toHaveBeenCalled(); // nothing here says how far it was
    const shipper = createJournalShipper({ journal: orphan, publish, watermarks });
    expect(await shipper.drainToWatermark(5_000)).toBe(true);
    expect(onHarm).toHaveBeenCalledTimes(1);
    await shipper.close();
    await orphan.close();

    // It is said once, not at each start.
    const again = recoverJournal(directory, { onHarm });
    await again.close();
    expect(onHarm).toHaveBeenCalledTimes(1);
    expect(others.length).toBeGreaterThan(1);
    expect(readdirSync(folder)).toContain('lock');
  });

  it('reports a cut when everything else of it is counted and was given back', async () => {
    const { folder, writerId } = await leaveBehind();
    await writeWatermarkFile(folder, { sequence: 19, epoch: 1 });
    const segments = listSegments(directory, writerId);
    for (const path of segments.slice(0, -1)) rmSync(path);
    const untouched = recoverJournal(directory, { onHarm });
    await untouched.close();
    expect(onHarm).not.toHaveBeenCalled();

    truncateSync(segments.at(-1) ?? '', 100);
    const orphan = recoverJournal(directory, { onHarm });
    expect(onHarm).toHaveBeenCalledTimes(1);
    expect(orphan.stats().nextSequence).toBe(20);
    await orphan.close();
  });

  it('passes over a plain file with a writer’s name, and a folder with a segment’s, and names the file', async () => {
    const { writerId, folder } = await leaveBehind();
    const path = join(directory, '00000000-0000-4000-8000-000000000000');
    appendFileSync(path, 'notes');
    mkdirSync(join(folder, 'ffffffffffffffff.seg'));
    const warn = jest.fn();
    const log = { info: () => undefined, warn, error: () => undefined };
    const orphans = recoverJournals(directory, { onHarm, log });
    expect(orphans.map((orphan) => orphan.writerId)).toEqual([writerId]);
    expect(warn.mock.calls).toEqual([[{ path }, expect.stringContaining('passed over')]]);
    expect(onHarm).not.toHaveBeenCalled();
    expect(measureOtherJournals(directory, writerId)).toBe(0);
    await Promise.all(orphans.map((orphan) => orphan.close()));
  });

  it('gives no sequence out again when the whole directory is removed, or an older copy of it is put back', async () => {
    const { folder, writerId } = await leaveBehind();
    const backup = `${directory}.backup`;
    cpSync(directory, backup, { recursive: true });
    rmSync(directory, { recursive: true });
    const afresh = open();
    expect(afresh.writerId).not.toBe(writerId);
    renameSync(join(backup, writerId), folder);
    rmSync(backup, { recursive: true });

    const restored = open();

    expect(new Set([writerId, afresh.writerId, restored.writerId]).size).toBe(3);
    expect(onHarm).not.toHaveBeenCalled();
  });
});

describe('a journal that is emptied while its process writes to it', () => {
  it('writes again what was removed, loses nothing, and reports it', async () => {
    const journal = open();
    const keptFor = await readIds(journal);
    expect(keptFor).toEqual([]);
    runAttempt(journal, 'a:1');
    beginAttempt(journal, 'open:1');
    await journal.flush();
    rmSync(directory, { recursive: true });
    runAttempt(journal, 'b:1');

    expect(await readIds(journal)).toEqual(['a:1', 'b:1']);
    expect(onHarm).toHaveBeenCalledTimes(1);
    expect(recoverJournals(directory)).toEqual([]); // locked again
    endAttempt(journal, 'open:1');
    await journal.close();
    const recovered = recoverJournal(directory);
    expect(await readIds(recovered)).toEqual(['a:1', 'b:1', 'open:1']);
    await recovered.close();
  });

  it('loses nothing although its segment is full before the removal is noticed', async () => {
    const journal = open({ segmentBytesMax: 400 });
    runAttempt(journal, 'a:1');
    rmSync(directory, { recursive: true });
    const ids = Array.from({ length: 12 }, (_, index) => `r${index}:1`);
    for (const id of ids) runAttempt(journal, id);

    expect(await readIds(journal)).toEqual(['a:1', ...ids]);
    expect(onHarm).toHaveBeenCalledTimes(1);
  });

  it('keeps what runs and what was not shipped though it stands in segments before the one that is written to', async () => {
    const journal = open({ segmentBytesMax: 400 });
    beginAttempt(journal, 'open:1');
    const ids = Array.from({ length: 12 }, (_, index) => `r${index}:1`);
    for (const id of ids) runAttempt(journal, id);
    await journal.flush();
    expect(journal.stats().segments).toBeGreaterThan(2);
    rmSync(directory, { recursive: true });
    await journal.flush();

    expect(await readIds(journal)).toEqual(ids);
    await journal.close();
    const recovered = recoverJournal(directory);
    expect(await readIds(recovered)).toEqual([...ids, 'open:1!']);
    await recovered.close();
  });

  it('goes on although its folder is removed in the middle of a sync', async () => {
    let removals = 0;
    const onFailure = jest.fn();
    const journal = open({
      onFailure,
      files: {
        ...NODE_FILES,
        fdatasync: (fd, done) => {
          if (removals++ === 0) rmSync(directory, { recursive: true });
          NODE_FILES.fdatasync(fd, done);
        },
      },
    });
    runAttempt(journal, 'a:1');
    await journal.flush();
    runAttempt(journal, 'b:1');

    expect(await readIds(journal)).toEqual(['a:1', 'b:1']);
    expect(onHarm).toHaveBeenCalledTimes(1);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('puts aside what bears the name of its segment instead', async () => {
    const journal = open();
    runAttempt(journal, 'a:1');
    const [path = ''] = listSegments(directory, journal.writerId);
    rmSync(path);
    mkdirSync(folderOf(journal), { recursive: true });
    appendFileSync(path, 'something else');
    runAttempt(journal, 'b:1');

    expect(await readIds(journal)).toEqual(['a:1', 'b:1']);
    expect(onHarm).toHaveBeenCalledTimes(1);
    expect(readdirSync(join(folderOf(journal), 'quarantine'))).toHaveLength(1);
  });

  it('shows what was cut off as lost, and goes on after it', async () => {
    const journal = open();
    for (const id of ['a:1', 'b:1', 'c:1']) runAttempt(journal, id);
    await journal.flush();
    const [path = ''] = listSegments(directory, journal.writerId);
    truncateSync(path, statSync(path).size - 10);
    await journal.flush();
    runAttempt(journal, 'd:1');

    expect(await readIds(journal)).toEqual(['a:1', 'b:1', '?', 'd:1']);
    expect(onHarm).toHaveBeenCalledTimes(1);
  });

  it('gives up one sequence when what it wrote first was cut off', async () => {
    const journal = open();
    beginAttempt(journal, 'open:1');
    await journal.flush();
    truncateSync(listSegments(directory, journal.writerId)[0] ?? '');
    await journal.flush();

    expect(endAttempt(journal, 'open:1')).toBe(1n);
    expect(await readIds(journal)).toEqual(['?', 'open:1']);
    expect(onHarm).toHaveBeenCalledTimes(1);
  });
});
