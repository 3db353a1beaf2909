import { GatewayError } from '@weir/errors';

type QueueLimits = {
  /** Queries of one key that run at once. */
  readonly runningMax: number;
  /** Queries of one key that wait for a permit; more are refused. */
  readonly waitingMax: number;
};

type QueryPermit = { release(): void };

export type QueryQueue = {
  /** A permit for the key without waiting; undefined when none is free. */
  tryAcquire(key: string): QueryPermit | undefined;
  /** Waits for a permit for the key, in order of arrival. Throws `rate_limited` when too many wait already. Every permit must be released. */
  acquire(key: string): Promise<QueryPermit>;
};

type Line = { running: number; readonly waiting: (() => void)[] };

const RETRY_AFTER_SECONDS = 5;

/** Keeps one organization's heavy queries from taking the database away from all others. */
export function createQueryQueue({ runningMax, waitingMax }: QueueLimits): QueryQueue {
  const lines = new Map<string, Line>();
  const leave = (key: string, line: Line): void => {
    const next = line.waiting.shift();
    // The permit goes to the query that waits for longest, so that a new one cannot overtake it.
    if (next !== undefined) return next();
    line.running -= 1;
    if (line.running === 0) lines.delete(key);
  };
  const createPermit = (key: string, line: Line): QueryPermit => {
    let isReleased = false;
    return {
      release: () => {
        if (!isReleased) leave(key, line);
        isReleased = true;
      },
    };
  };
  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    return line;
  };
  const tryAcquire = (key: string): QueryPermit | undefined => {
    const line = lineOf(key);
    if (line.running >= runningMax) return undefined;
    line.running += 1;
    return createPermit(key, line);
  };
  return {
    tryAcquire,
    acquire: async (key) => {
      const permit = tryAcquire(key);
      if (permit !== undefined) return permit;
      const line = lineOf(key);
      await wait(line, waitingMax);
      return createPermit(key, line);
    },
  };
}

function wait(line: Line, waitingMax: number): Promise<void> {
  if (line.waiting.length >= waitingMax) {
    throw new GatewayError(
      'rate_limited',
      'Too many usage queries of this organization are running; send this one again in a few seconds.',
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
  }
  return new Promise((resolve) => line.waiting.push(resolve));
}
