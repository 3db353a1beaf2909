import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, readAll, recoverJournals } from './__fixtures__/open-journal';

const FIXTURES = join(__dirname, '__fixtures__');
const KILLS = 6;

type Said = { writer: string; begun: Set<string>; ended: Set<string> };

/** Lets a process write to the journal and kills it with -9 in the middle of it, once it has said enough. */
function runAndKill(directory: string, prefix: string, killAfterLines: number): Promise<Said> {
  return new Promise((resolve, reject) => {
    const script = ['--require', join(FIXTURES, 'register-typescript.cjs'), '--conditions=@weir/source', join(FIXTURES, 'busy-writer.ts')];
    const child = spawn(process.execPath, [...script, directory, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split('\n').length > killAfterLines) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', (_code, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the writer ended by itself (${signal})`));
      const said: Said = { writer: '', begun: new Set(), ended: new Set() };
      // What stands after the last line break was not said whole.
      for (const line of output.split('\n').slice(0, -1)) {
        const [what, id = ''] = line.split(' ');
        if (what === 'writer') said.writer = id;
        else said[what === 'begun' ? 'begun' : 'ended'].add(id);
      }
      resolve(said);
    });
  });
}

describe('a usage journal whose process is killed with -9', () => {
  it('has every end that returned, and ends every attempt that was begun exactly once', async () => {
    const directory = makeDirectory();
    const begun = new Set<string>();
    const ended = new Set<string>();
    const writers = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const said = await runAndKill(directory, `k${kill}`, 50 + kill * 777);
      writers.add(said.writer);
      said.begun.forEach((id) => begun.add(id));
      said.ended.forEach((id) => ended.add(id));
    }
    const journals = recoverJournals(directory);
    const read = await Promise.all(journals.map((journal) => readAll(journal)));
    const events = read.flat().map((event) => JSON.parse(event.payload) as { event_id: string; status: string });
    await Promise.all(journals.map((journal) => journal.close()));
    rmSync(directory, { recursive: true, force: true });

    // Each life is a writer of its own.
    expect(journals.map(({ writerId }) => writerId).sort()).toEqual([...writers].sort());
    expect(writers.size).toBe(KILLS);
    expect(ended.size).toBeGreaterThan(KILLS * 20);
    const timesById = new Map<string, number>();
    for (const { event_id: id } of events) timesById.set(id, (timesById.get(id) ?? 0) + 1);
    expect([...timesById.values()].filter((times) => times !== 1)).toEqual([]);
    const statusById = new Map(events.map((event) => [event.event_id, event.status]));
    expect([...ended].filter((id) => statusById.get(id) !== 'ok')).toEqual([]);
    expect([...begun].filter((id) => !statusById.has(id))).toEqual([]);
    expect([...statusById.values()].filter((status) => status === 'aborted_crash').length).toBeGreaterThanOrEqual(KILLS);
  }, 120_000);
});
