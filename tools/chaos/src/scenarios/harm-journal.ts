import { makeTestFolder, waitUntil } from '@weir/testing';
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Rig } from '../rig/start-rig';
import { expectThat, type Scenario } from './scenario';

const RATE = { short: 40, full: 100 };
const WORKER = 'chat-translator';
const HARM = 'weir_journal_harm_total';

export const emptyJournal: Scenario = {
  id: 'M7-emptied',
  title: 'usage after a journal was emptied on disk is counted, whether its process was dead or alive, and the harm is reported',
  run: async ({ rig, size, report }) => {
    const directory = makeTestFolder('emptied-journal');
    await rig.harness.services[WORKER].terminate();
    await rig.harness.restart(WORKER, { JOURNAL_DIR: directory });
    await loadFor(rig, RATE[size], 1_000);
    await rig.quiesce();
    await rig.harness.services[WORKER].kill();
    expectThat(removeSegments(directory) > 0, 'a killed worker leaves its journal');
    await rig.harness.restart(WORKER, { JOURNAL_DIR: directory });
    report('emptied while the worker was dead');
    const harmDead = (await rig.metrics(WORKER)).get(HARM) ?? 0;
    expectThat(harmDead > 0, 'a journal without segments is reported');
    rig.load(RATE[size]);
    await pause(1_000);
    // Out of the way at once: the worker goes on writing while files are removed.
    renameSync(directory, `${directory}.gone`);
    rmSync(`${directory}.gone`, { recursive: true });
    report('removed while the worker was at work');
    await waitUntil('the removal is reported', async () => ((await rig.metrics(WORKER)).get(HARM) ?? 0) > harmDead, 10_000);
    // Killed without warning: what was removed was written again, so the next one finds it all.
    await rig.harness.services[WORKER].kill();
    await rig.harness.restart(WORKER, { JOURNAL_DIR: directory });
    await pause(500);
    const verdict = await rig.verify();
    await rig.harness.services[WORKER].terminate();
    await rig.harness.restart(WORKER);
    return { verdict, findings: { 'harm reported': harmDead + 1 } };
  },
};

export const fillDisk: Scenario = {
  id: 'M7-space',
  title: 'a disk that has no space refuses new work, ends nothing, and work goes on once there is space',
  run: async ({ rig, size }) => {
    await rig.harness.services[WORKER].terminate();
    await rig.harness.restart(WORKER, { FAILPOINT: 'journal.write:enospc@40' });
    const worker = rig.harness.services[WORKER];
    const load = rig.load(RATE[size]);
    await waitUntil('the full disk is noticed', () => worker.output().includes('the disk of the usage journal is full'), 30_000);
    await waitUntil('the worker accepts again', () => worker.output().includes('the disk has space again'), 30_000);
    const before = load.results.length;
    await waitUntil('work is done again', () => load.results.slice(before).some(({ status }) => status === 200), 30_000);
    expectThat(worker.child.exitCode === null, 'a full disk does not end the worker');
    const refused = (await load.stop()).filter(({ status }) => status === 503).length;
    const verdict = await rig.verify();
    await rig.harness.services[WORKER].terminate();
    await rig.harness.restart(WORKER);
    return { verdict, findings: { refused } };
  },
};

async function loadFor(rig: Rig, perSecond: number, ms: number): Promise<void> {
  const load = rig.load(perSecond);
  await pause(ms);
  await load.stop();
}

/** Returns how many there were. */
function removeSegments(directory: string): number {
  const segments = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.seg'));
  for (const name of segments) rmSync(join(directory, name));
  return segments.length;
}
