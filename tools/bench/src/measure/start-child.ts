import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const PROCESSES = join(__dirname, '..', 'processes');

export type Listening = { readonly child: ChildProcess; readonly pid: number; readonly port: number; stop(): Promise<void> };

/** Starts one of our processes that listens, and waits until it says on which port. */
export async function startListening(
  name: 'fake-upstream' | 'plain-proxy',
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Listening> {
  const child = fork(join(PROCESSES, `${name}.js`), [...args], { env: { ...process.env, ...env } });
  const { port } = await nextMessage<{ port: number }>(child, name);
  return { child, pid: child.pid as number, port, stop: () => stopChild(child) };
}

export function startLoadGenerator(): ChildProcess {
  return fork(join(PROCESSES, 'load-generator.js'));
}

export function nextMessage<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`${name} ended with ${code} before it answered`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.removeListener('exit', onExit);
      resolve(message as T);
    });
  });
}

const PATIENCE_MS = 15_000;

/** Asks politely, then not. */
export function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const force = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
