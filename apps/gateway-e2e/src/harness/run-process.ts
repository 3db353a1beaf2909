import { spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';

export const ROOT = join(__dirname, '..', '..', '..', '..');

export type RunningProcess = {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves with the exit code, null after a signal. */
  readonly ended: Promise<number | null>;
  /** Resolves with the first match in the process's output; rejects when it ends first or takes too long. */
  waitFor(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  kill(): Promise<void>;
  terminate(): Promise<number | null>;
};

/** What of this process's environment a service under test may see: enough to run, no settings. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'SystemRoot'];

/** What the tests' own process was given for the sake of short lives holds for what it starts; measurements are given nothing. */
const ENGINE_FLAGS = process.execArgv.filter((flag) => flag === '--liftoff-only');

const running = new Set<ChildProcess>();

/** A test that fails half-way must not leave processes behind; SIGTERM lets it take its Postgres along. */
function stopRunning(): void {
  for (const child of running) child.kill('SIGTERM');
}

export type RunOptions = {
  /** Starts it as npm does, by a shell of its own process group that passes no signal on; `terminate` is for the whole group. */
  readonly isInShell?: boolean;
  /** Where it is started; the checkout unless given. */
  readonly cwd?: string | undefined;
  /** What stands behind the script on its command line. */
  readonly args?: readonly string[];
};

/** Starts one built service as a real process. */
export function runProcess(
  script: string,
  env: Readonly<Record<string, string>>,
  { isInShell = false, cwd = ROOT, args: given = [] }: RunOptions = {},
): RunningProcess {
  const base = Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const command = [process.execPath, ...ENGINE_FLAGS, resolve(ROOT, script), ...given];
  // The second command keeps the shell from becoming the first one.
  const [program = '', ...args] = isInShell ? ['sh', '-c', `"$@"; exit $?`, 'sh', ...command] : command;
  const child = spawn(program, args, {
    cwd,
    env: { ...base, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isInShell,
  });
  if (running.size === 0) process.once('exit', stopRunning);
  running.add(child);
  let output = '';
  const watchers = new Set<() => void>();
  const append = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const watcher of watchers) watcher();
  };
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  void ended.then(() => {
    running.delete(child);
    if (running.size === 0) process.off('exit', stopRunning);
  });

  return {
    child,
    output: () => output,
    ended,
    waitFor: (pattern, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void): void => {
          watchers.delete(look);
          clearTimeout(timer);
          act();
        };
        const look = (): void => {
          const match = pattern.exec(output);
          if (match !== null) settle(() => resolve(match));
        };
        const timer = setTimeout(
          () => settle(() => reject(new Error(`${script} did not print ${String(pattern)} in ${timeoutMs} ms:\n${output}`))),
          timeoutMs,
        );
        watchers.add(look);
        void ended.then((code) => settle(() => reject(new Error(`${script} ended with ${String(code)}:\n${output}`))));
        look();
      }),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    terminate: () => {
      if (isInShell && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      else child.kill('SIGTERM');
      return ended;
    },
  };
}
