/** What processes say of themselves, as text, each in the place of what it said before. */
export type ProcessReports = {
  /** Kept for so long; a process that ends without a word is forgotten by then. One that is too long is not kept. */
  publish(processId: string, report: string, forMs: number): Promise<void>;
  /** The latest of every process that is heard of, in no order. */
  list(): Promise<readonly string[]>;
  /** For a process that ends in order. */
  withdraw(processId: string): Promise<void>;
};

/** Of one report. */
export const PROCESS_REPORT_CHARS_MAX = 512 * 1024;
/** As many as are read together; there are no installations with more. */
const PROCESSES_MAX = 1_000;

type MemoryProcessReportsOptions = {
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

/** The adapter for one process, and for those that it started. */
export function createMemoryProcessReports({ now }: MemoryProcessReportsOptions): ProcessReports {
  const reports = new Map<string, { readonly report: string; readonly goodUntilMs: number }>();
  const forgetOld = (): void => {
    for (const [id, { goodUntilMs }] of reports) if (goodUntilMs <= now()) reports.delete(id);
  };
  return {
    publish: (processId, report, forMs) => {
      forgetOld();
      reports.delete(processId);
      if (report.length <= PROCESS_REPORT_CHARS_MAX && reports.size < PROCESSES_MAX)
        reports.set(processId, { report, goodUntilMs: now() + forMs });
      return Promise.resolve();
    },
    list: () => {
      forgetOld();
      return Promise.resolve([...reports.values()].map(({ report }) => report));
    },
    withdraw: (processId) => {
      reports.delete(processId);
      return Promise.resolve();
    },
  };
}
