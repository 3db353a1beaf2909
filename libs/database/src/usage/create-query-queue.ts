import { GatewayError } from '@weir/errors';

export type TurnLimits = {
  /** At work at once for one key. */
  readonly runningMax: number;
  /** Of one key, waiting for their turn; more are refused. */
  readonly waitingMax: number;
};

export type Turn = { end(): void };

export type Turns = {
  /** A turn of the key that no one has to wait for; undefined when there is none. */
  tryBegin(key: string): Turn | undefined;
  /** Waits for the key's turn, in order of asking. Throws `rate_limited` when too many wait already. Every turn must be ended. */
  begin(key: string): Promise<Turn>;
};

type Line = { running: number; readonly waiting: (() => void)[] };

const RETRY_AFTER_SECONDS = 5;

/** Keeps one organization's heavy questions from taking the database away from all others. */
export function createTurns({ runningMax, waitingMax }: TurnLimits): Turns {
  const lines = new Map<string, Line>();
  const leave = (key: string, line: Line): void => {
    const next = line.waiting.shift();
    // The turn is handed on, so that no one who asks just now gets ahead of who waits.
    if (next !== undefined) return next();
    line.running -= 1;
    if (line.running === 0) lines.delete(key);
  };
  const createTurn = (key: string, line: Line): Turn => {
    let isOver = false;
    return {
      end: () => {
        if (!isOver) leave(key, line);
        isOver = true;
      },
    };
  };
  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    return line;
  };
  const tryBegin = (key: string): Turn | undefined => {
    const line = lineOf(key);
    if (line.running >= runningMax) return undefined;
    line.running += 1;
    return createTurn(key, line);
  };
  return {
    tryBegin,
    begin: async (key) => {
      const turn = tryBegin(key);
      if (turn !== undefined) return turn;
      const line = lineOf(key);
      await wait(line, waitingMax);
      return createTurn(key, line);
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
