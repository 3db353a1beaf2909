import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

type Ending = {
  /** The part was stopped in order; nothing is left to end. */
  release(): void;
  /** What the end of this process does. */
  abandon(): void;
};

/** Waits for the end of its input, which comes with the end of its parent in whatever way; then ends what is left. */
const WATCHER = `
const pid = Number(process.argv[1]);
let isReleased = false;
process.stdin.on('data', () => { isReleased = true; });
process.stdin.on('end', () => {
  if (isReleased) return;
  const send = (signal) => { try { process.kill(pid, signal); } catch { process.exit(0); } };
  send('SIGTERM');
  setTimeout(() => { send('SIGKILL'); process.exit(0); }, 2000);
});
`;

/**
 * Ends process `pid` (a negative one: its group) when this process ends, even by SIGKILL. A small process of its own watches, because jest does not
 * pass on the events of `process`, and a killed process has none.
 */
export function endWithProcess(pid: number): Ending {
  const stdin = startWatcher(WATCHER, [String(pid)]);
  return { release: () => void stdin.end('released'), abandon: () => void stdin.end() };
}

/** Starts a watching script; its standard input stays open as long as this process lives. */
export function startWatcher(script: string, args: readonly string[]): Socket {
  const watcher = spawn(process.execPath, ['-e', script, '--', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  watcher.unref();
  // A pipe to a child is a socket: it must not keep jest from ending.
  const stdin = watcher.stdin as Socket;
  stdin.unref();
  stdin.on('error', () => undefined);
  return stdin;
}
