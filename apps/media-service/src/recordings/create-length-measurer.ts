import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The length that a recording states; undefined where it cannot be found. */
export type MeasureSeconds = (file: Uint8Array) => Promise<number | undefined>;

export type LengthMeasurerParts = {
  readonly log: { warn(facts: object, message: string): void };
  /** The compiled `measure-process.ts`. */
  readonly entry?: string;
  readonly limits?: Partial<MeasuringLimits>;
};

export type MeasuringLimits = {
  readonly processes: number;
  /** Of each. More than the tables of any honest upload take. */
  readonly heapMb: number;
  /** The library ends by a count of reads long before. This is for a file that keeps it busy between two reads. */
  readonly deadlineMs: number;
};

const LIMITS: MeasuringLimits = { processes: 2, heapMb: 256, deadlineMs: 10_000 };
const YOUNG_HEAP_MB = 16;

/**
 * Measures recordings in processes of their own. The head of a few hundred bytes may state four thousand million packets, which
 * a reader lists one by one until its memory is full. That ends a process, and a thread takes its whole process along.
 */
export function createLengthMeasurer({
  log,
  entry = join(__dirname, 'measure-process.js'),
  limits = {},
}: LengthMeasurerParts): MeasureSeconds {
  const { processes, heapMb, deadlineMs } = { ...LIMITS, ...limits };
  const idle = new Set<ChildProcess>();
  const withPermit = createPermits(processes);

  const start = (): ChildProcess => {
    const child = fork(entry, [], {
      execArgv: [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${YOUNG_HEAP_MB}`],
      serialization: 'advanced',
      // It reads what strangers send, and needs none of the secrets in the environment.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('exit', () => idle.delete(child));
    // What waits for a length fails by it too; without a listener it would end this process.
    child.on('error', () => idle.delete(child));
    return child;
  };

  const measure = async (file: Uint8Array): Promise<number | undefined> => {
    const [child = start()] = idle;
    idle.delete(child);
    hold(child);
    try {
      const seconds = await ask(child, file, deadlineMs);
      release(child);
      idle.add(child);
      return seconds;
    } catch (error) {
      log.warn({ error, bytes: file.byteLength }, 'a recording could not be measured; its length is estimated');
      child.kill('SIGKILL');
      return undefined;
    }
  };

  return (file) => withPermit(() => measure(file));
}

/** Sends a file and awaits its length. Rejects when the process ends first or the deadline passes. */
async function ask(child: ChildProcess, file: Uint8Array, deadlineMs: number): Promise<number | undefined> {
  const over = new AbortController();
  const { signal } = over;
  // A timer, and no AbortSignal.timeout within AbortSignal.any: that one may be collected before it fires.
  const deadline = setTimeout(() => over.abort(new Error(`it took longer than ${deadlineMs} ms`)), deadlineMs);
  const ended = once(child, 'exit', { signal }).then(([code, by]: unknown[]) => {
    throw new Error(`the measuring process ended (${String(code ?? by)})`);
  });
  try {
    const reply = once(child, 'message', { signal }) as Promise<[{ readonly seconds?: number }]>;
    // One that has ended meanwhile cannot be written to; its end is seen below.
    child.send(file, () => undefined);
    const [{ seconds }] = await Promise.race([reply, ended]);
    return seconds;
  } finally {
    clearTimeout(deadline);
    over.abort();
  }
}

/** While it measures, this process waits for it; an idle one keeps no process from ending. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

type WithPermit = <Result>(run: () => Promise<Result>) => Promise<Result>;

/** So many at a time; the others wait in their order. */
function createPermits(most: number): WithPermit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running === most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
