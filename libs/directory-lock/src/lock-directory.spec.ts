import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describeLockHolder, lockDirectory, readLockHolder } from './lock-directory';
import { identifyProcess, isKnownToHaveEnded } from './process-identity';

jest.setTimeout(120_000);

let root: string;
let directory: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weir-lock-'));
  directory = join(root, 'held');
  mkdirSync(directory);
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** A process that tries for the lock when the signal file appears. */
function startContender(signal: string): { child: ChildProcess; nextLine: () => Promise<string> } {
  const args = ['--conditions=@weir/source', join(__dirname, '__fixtures__', 'lock-at-signal.cjs'), directory, signal];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, nextLine: async () => String((await lines.next()).value) };
}

async function startHolder(): Promise<ChildProcess> {
  const signal = join(root, 'now');
  writeFileSync(signal, '');
  const { child, nextLine } = startContender(signal);
  expect([await nextLine(), await nextLine()]).toEqual(['ready', 'held']);
  return child;
}

it('is held by one of two in one process, and free again once it is given back', () => {
  const first = lockDirectory(directory);

  expect(first).toBeDefined();
  expect(lockDirectory(directory)).toBeUndefined();
  first?.release();
  first?.release();
  const second = lockDirectory(directory);
  expect(second).toBeDefined();
  second?.release();
});

it('has exactly one holder when eight processes try at one instant, five times over', async () => {
  for (let round = 0; round < 5; round += 1) {
    const signal = join(root, `now-${round}`);
    const contenders = Array.from({ length: 8 }, () => startContender(signal));
    for (const { nextLine } of contenders) expect(await nextLine()).toBe('ready');
    writeFileSync(signal, '');
    const words = await Promise.all(contenders.map(({ nextLine }) => nextLine()));
    expect(words.filter((word) => word === 'held')).toHaveLength(1);
    for (const { child } of contenders) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
  }
});

it('ends with a holder that is killed', async () => {
  const holder = await startHolder();
  expect(lockDirectory(directory)).toBeUndefined();
  const gone = once(holder, 'exit');
  holder.kill('SIGKILL');
  await gone;

  const lock = lockDirectory(directory);

  expect(lock).toBeDefined();
  lock?.release();
});

it('respects a holder whose process number says nothing here, as in another container', async () => {
  await startHolder();
  // What a process of another PID namespace writes: here the number belongs to no process, or to a stranger.
  for (const pid of [2 ** 22 - 3, process.pid]) {
    writeFileSync(join(directory, 'lock'), JSON.stringify({ pid, host: 'other-container', since: '2026-01-01T00:00:00.000Z' }));

    expect(lockDirectory(directory)).toBeUndefined();
    expect(describeLockHolder(directory)).toBe(`process ${pid} on host other-container, since 2026-01-01T00:00:00.000Z`);
  }
});

it('is not kept out by what a dead holder wrote, whatever number it had', () => {
  writeFileSync(join(directory, 'lock'), JSON.stringify({ pid: process.ppid, host: 'here', since: '2026-01-01T00:00:00.000Z' }));

  const lock = lockDirectory(directory);

  expect(readLockHolder(directory)?.pid).toBe(process.pid);
  lock?.release();
});

it('lives as long as a child that was given it', async () => {
  const lock = lockDirectory(directory);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: ['ignore', 'ignore', 'ignore', lock?.fd] });
  children.push(child);
  await once(child, 'spawn');
  lock?.release();

  expect(lockDirectory(directory)).toBeUndefined();
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  const again = lockDirectory(directory);
  expect(again).toBeDefined();
  again?.release();
});

it('is not kept by a child that was not given it', async () => {
  const lock = lockDirectory(directory);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  lock?.release();

  const again = lockDirectory(directory);
  expect(again).toBeDefined();
  again?.release();
});

it('stays when the same process opens and closes the file, and is on the file that bears the name', () => {
  const lock = lockDirectory(directory);
  closeSync(openSync(join(directory, 'lock'), 'r+'));
  expect(lockDirectory(directory)).toBeUndefined();

  renameSync(directory, `${directory}.aside`);
  expect(() => lockDirectory(directory)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  mkdirSync(directory);
  const other = lockDirectory(directory);
  expect(other).toBeDefined();
  other?.release();
  lock?.release();
});

it('leaves a file that only its owner may read, which says who has it', () => {
  const lock = lockDirectory(directory, 'gateway.lock');

  expect(statSync(join(directory, 'gateway.lock')).mode & 0o077).toBe(0);
  expect(JSON.parse(readFileSync(join(directory, 'gateway.lock'), 'utf8'))).toMatchObject({ pid: process.pid });
  lock?.release();
});

it('says what is missing where a file cannot be locked', () => {
  jest.isolateModules(() => {
    jest.doMock('node:module', () => ({
      createRequire: () => () => ({
        tryLock: () => {
          throw Object.assign(new Error('no locks available'), { code: 'ENOLCK' });
        },
      }),
    }));
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- read anew, with an addon that finds no locks
    const without = require('./lock-directory') as { lockDirectory: typeof lockDirectory };

    expect(() => without.lockDirectory(directory)).toThrow(
      /lock cannot be locked \(no locks available\).*Use a file system with POSIX locks/,
    );
  });
  jest.dontMock('node:module');
});

describe('a process that has ended', () => {
  it('is known by its lock, which a file that was made anew is not', async () => {
    const child = await startHolder();
    const { id } = JSON.parse(readFileSync(join(directory, 'lock'), 'utf8')) as { id: string };
    child.kill('SIGKILL');
    await once(child, 'exit');
    const next = lockDirectory(directory);
    expect(next?.id).toMatch(new RegExp(`^${id}/\\d+$`));
    const before = { ...identifyProcess(next), pid: 0, begun: null };
    expect(isKnownToHaveEnded(before, identifyProcess(next), 0)).toBe(true);
    // On another run of a machine, a copy of the disk may have a copy of the lock: silence has to say the same.
    const elsewhere = { ...before, machine: 'another' };
    expect([14_000, 16_000].map((silentMs) => isKnownToHaveEnded(elsewhere, identifyProcess(next), silentMs))).toEqual([false, true]);

    rmSync(join(directory, 'lock'));
    const second = lockDirectory(directory);
    expect(second?.id).not.toBe(next?.id);
    expect(isKnownToHaveEnded(before, identifyProcess(second), 3_600_000)).toBe(false);
    for (const lock of [next, second]) lock?.release();
  });

  it('is known by its number, unless that is in use or another run’s', async () => {
    const child = await startHolder();
    const self = identifyProcess();
    const other = { ...self, pid: child.pid, begun: null as string | null };
    // Of a process that lives nothing is known; without its beginning, of none that has ended either.
    expect(isKnownToHaveEnded({ ...self, pid: process.pid }, self, 3_600_000)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isKnownToHaveEnded(other, self, 3_600_000)).toBe(false);
    if (process.platform !== 'linux') return;
    expect(isKnownToHaveEnded({ ...other, begun: self.begun }, self, 0)).toBe(true);
    expect(isKnownToHaveEnded({ ...self, begun: String(self.begun).replace(/\d+$/, '1') }, self, 0)).toBe(true);
    expect(isKnownToHaveEnded({ ...other, begun: self.begun, machine: 'another' }, self, 3_600_000)).toBe(false);
    expect(isKnownToHaveEnded({ ...other, begun: 'pid:[1] 5' }, self, 3_600_000)).toBe(false);
  });
});
