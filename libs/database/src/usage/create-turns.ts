import { GatewayError } from '@weir/errors';

export type TurnLimits = {
  /** At work at once for one key. */
  readonly runningMax: number;
  /** Of one key, waiting for their turn; more are refused. */
  readonly waitingMax: number;
};

export type Turn = { end(): void };

export type Turns = {
  /** Waits for the key's turn, in order of asking. Throws `rate_limited` when too many wait already. Every turn must be ended. */
  begin(key: string): Promise<Turn>;
  /** Runs the work when it is the key's turn. */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
};

type Line = { running: number; readonly waiting: (() => void)[] };

const RETRY_AFTER_SECONDS = 5;

/** Keeps one organization's heavy questions from taking the database away from all others. */
export function createTurns({ runningMax, waitingMax }: TurnLimits): Turns {
  const lines = new Map<string, Line>();
  const leave = (key: string, line: Line): void => {
    const next = line.waiting.shift();
    // The turn is handed on, so that nobody who asks just now gets ahead of who waits.
    if (next !== undefined) return next();
    line.running -= 1;
    if (line.running === 0) lines.delete(key);
  };
  const begin = async (key: string): Promise<Turn> => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    if (line.running < runningMax) line.running += 1;
    else await wait(line, waitingMax);
    let isOver = false;
    return {
      end: () => {
        if (!isOver) leave(key, line);
        isOver = true;
      },
    };
  };
  return {
    begin,
    take: async (key, work) => {
      const turn = await begin(key);
      try {
        return await work();
      } finally {
        turn.end();
      }
    },
  };
}

function wait(line: Line, waitingMax: number): Promise<void> {
  if (line.waiting.length >= waitingMax) {
    throw new GatewayError('rate_limited', 'Too many usage questions of this organization are being answered; ask again in some seconds.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  return new Promise((resolve) => line.waiting.push(resolve));
}
