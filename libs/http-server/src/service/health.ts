/** Whether a part is ready; the text says what it is waiting for. */
export type ReadinessCheck = () => Promise<string | null> | string | null;

export type Health = {
  /** Null when a request would succeed, else the reasons why not. */
  readProblems(): Promise<readonly string[] | null>;
  /** From now on never ready again: the process is on its way out. */
  startDraining(): void;
  isDraining(): boolean;
};

/** What a process that is on its way out names as its only problem: it still serves who is sent to it. */
export const DRAINING = 'shutting down';

/** What a process that is still opening its parts names as its only problem. */
export const STARTING = 'starting';

export function createHealth(checks: readonly ReadinessCheck[]): Health {
  let draining = false;
  return {
    readProblems: async () => {
      if (draining) return [DRAINING];
      const results = await Promise.all(checks.map(runCheck));
      const problems = results.filter((result): result is string => result !== null);
      return problems.length === 0 ? null : problems;
    },
    startDraining: () => {
      draining = true;
    },
    isDraining: () => draining,
  };
}

async function runCheck(check: ReadinessCheck): Promise<string | null> {
  try {
    return await check();
  } catch (error) {
    return error instanceof Error ? error.message : 'a check failed';
  }
}
