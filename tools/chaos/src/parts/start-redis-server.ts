import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { endWithProcess } from '@weir/testing';
import { setTimeout as pause } from 'node:timers/promises';

export type RunningRedis = { kill(): Promise<void> };

const START_TIMEOUT_MS = 10_000;

/** Starts a Redis of one's own on a given port; it keeps nothing over its end. */
export async function startRedisServer(directory: string, port: number): Promise<RunningRedis> {
  await mkdir(directory, { recursive: true });
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const ending = endWithProcess(child.pid ?? -1);
  await waitForReply(child, port);
  return {
    kill: async () => {
      ending.release();
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function waitForReply(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`redis-server does not answer on port ${port}`);
    await pause(20);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
