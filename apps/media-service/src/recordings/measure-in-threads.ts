import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The length that a recording states; undefined where it cannot be found. */
export type MeasureSeconds = (file: Uint8Array) => Promise<number | undefined>;

export type ThreadMeasurerParts = {
  readonly log: { warn(facts: object, message: string): void };
  /** The compiled `measure-thread.ts`. */
  readonly entry?: string;
  readonly limits?: Partial<ThreadLimits>;
};

export type ThreadLimits = {
  readonly threads: number;
  /** Of each. More than the tables of any honest upload take. */
  readonly heapMb: number;
  /** The library ends by a count of reads long before. This is for a file that keeps it busy between two reads. */
  readonly deadlineMs: number;
};

const LIMITS: ThreadLimits = { threads: 2, heapMb: 256, deadlineMs: 10_000 };

/**
 * Measures recordings in threads of their own. The head of a few hundred bytes may state four thousand million packets, which a
 * reader lists one by one: in a thread that takes a heap of its own and ends, and the process goes on.
 */
export function createThreadMeasurer({
  log,
  entry = join(__dirname, 'measure-thread.js'),
  limits = {},
}: ThreadMeasurerParts): MeasureSeconds {
  const { threads, heapMb, deadlineMs } = { ...LIMITS, ...limits };
  const idle = new Set<Worker>();
  const withPermit = createPermits(threads);

  const start = (): Worker => {
    const thread = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    thread.on('exit', () => idle.delete(thread));
    // What waits for a length fails by it too; without a listener it would end the process.
    thread.on('error', () => idle.delete(thread));
    return thread;
  };

  const measure = async (file: Uint8Array): Promise<number | undefined> => {
    const [thread = start()] = idle;
    idle.delete(thread);
    thread.ref();
    try {
      const copy = new Uint8Array(file);
      thread.postMessage(copy, [copy.buffer]);
      const [seconds] = (await once(thread, 'message', { signal: AbortSignal.timeout(deadlineMs) })) as [number | undefined];
      thread.unref();
      idle.add(thread);
      return seconds;
    } catch (error) {
      log.warn({ error, bytes: file.byteLength }, 'a recording could not be measured; its length is estimated');
      await thread.terminate();
      return undefined;
    }
  };

  return (file) => withPermit(() => measure(file));
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
