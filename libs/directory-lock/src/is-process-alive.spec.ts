import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isProcessAlive } from './is-process-alive';

it('is true of this process and of one that belongs to another user', () => {
  expect(isProcessAlive(process.pid)).toBe(true);
  expect(isProcessAlive(1)).toBe(true);
});

it('is false of a process that has ended', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');

  expect(isProcessAlive(child.pid ?? 0)).toBe(false);
});

(process.platform === 'linux' ? it : it.skip)('is false of a killed process that its parent has not collected', async () => {
  // The shell starts a child and becomes `sleep`, which collects nothing: its child stays as a zombie.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const readState = (): string => /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
    while (readState() !== 'Z') await new Promise((resume) => setTimeout(resume, 10));

    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(isProcessAlive(pid)).toBe(false);
  } finally {
    parent.kill('SIGKILL');
  }
});
