/** Null while all is well; the text says what is not. */
export type ReadinessCheck = () => Promise<string | null> | string | null;

export type HealthParts = {
  /** Of the process itself: it is not ready while it has one of these problems, since another one in its place may not have it. */
  readonly checks?: readonly ReadinessCheck[];
  /** What has to have been well once, before anything can be served. */
  readonly starts?: readonly ReadinessCheck[];
  /**
   * Stores and services elsewhere, by name. All processes miss the same one at the same time: what needs it is refused by them in
   * words, what does not is served, and none would be if they were not ready.
   */
  readonly dependencies?: Readonly<Record<string, ReadinessCheck>>;
};

/** `problem`: null while it is there. */
export type DependencyState = { readonly name: string; readonly problem: string | null };

export type Health = {
  /** Null when the process can serve what it serves, else the reasons why not. */
  readProblems(): Promise<readonly string[] | null>;
  readDependencies(): Promise<readonly DependencyState[]>;
  /** From now on never ready again: the process is on its way out. */
  startDraining(): void;
  isDraining(): boolean;
};

/** What a process that is on its way out names as its only problem: it still serves who is sent to it. */
export const DRAINING = 'shutting down';

/** What a process that is still opening its parts names as its only problem. */
export const STARTING = 'starting';

/** Of a worker: nothing runs unmetered, and another one has a journal of its own. */
export function describeWorkerHealth(metering: { isReady(): boolean }, redis: { check(): Promise<null> }): HealthParts {
  return {
    checks: [() => (metering.isReady() ? null : 'the usage journal does not accept records')],
    dependencies: { redis: redis.check },
  };
}

/** Of a dependency: no page waits longer for it. */
const PATIENCE_MS = 1000;
/** Strangers may ask for it as often as they like: dependencies are asked once for all of them. */
const KEPT_MS = 1000;

export function createHealth({ checks = [], starts = [], dependencies = {} }: HealthParts): Health {
  let draining = false;
  const awaited = new Set(starts);
  const runStart = async (start: ReadinessCheck): Promise<string | null> => {
    const problem = await runCheck(start);
    if (problem === null) awaited.delete(start);
    return problem;
  };
  const readState = async ([name, check]: [string, ReadinessCheck]): Promise<DependencyState> => ({
    name,
    problem: await runInTime(check),
  });
  let read: Promise<readonly DependencyState[]> | undefined;
  let keptUntilMs = 0;
  return {
    readProblems: async () => {
      if (draining) return [DRAINING];
      const results = await Promise.all([...checks.map(runCheck), ...[...awaited].map(runStart)]);
      const problems = results.filter((result): result is string => result !== null);
      return problems.length === 0 ? null : problems;
    },
    readDependencies: () => {
      if (read === undefined || performance.now() > keptUntilMs) {
        read = Promise.all(Object.entries(dependencies).map(readState));
        keptUntilMs = performance.now() + KEPT_MS;
      }
      return read;
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

async function runInTime(check: ReadinessCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no reply within ${PATIENCE_MS} ms`), PATIENCE_MS).unref();
  });
  const problem = await Promise.race([runCheck(check), late]);
  clearTimeout(timer);
  return problem;
}
