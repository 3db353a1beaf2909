import { isProcessAlive } from '@weir/directory-lock';

type KeepRunningOptions = {
  readonly readPid: () => number;
  /** The server belongs to another process, which sees to it. */
  readonly isPatient: boolean;
  /** Starts the server on the same port, or rejects while it cannot be. */
  readonly startAgain: () => Promise<void>;
  readonly log: (message: string) => void;
};

const LOOK_EVERY_MS = 1_000;

/**
 * Starts a server that died again, as often as it takes: a full disk ends Postgres, and its clients go on by themselves
 * once there is space and a server at the same address.
 */
export function keepRunning({ readPid, isPatient, startAgain, log }: KeepRunningOptions): { stop(): Promise<void> } {
  let starting: Promise<void> | undefined;
  let lastWords = '';
  const say = (words: string): void => {
    if (words !== lastWords) log(words);
    lastWords = words;
  };
  const start = async (): Promise<void> => {
    say('Postgres has ended by itself; it is started again');
    try {
      await startAgain();
      say('Postgres runs again');
    } catch (error) {
      say(`Postgres could not be started again and is tried on: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const timer = setInterval(() => {
    if (isPatient || starting !== undefined || isProcessAlive(readPid())) return;
    starting = start().finally(() => (starting = undefined));
  }, LOOK_EVERY_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await starting;
    },
  };
}
