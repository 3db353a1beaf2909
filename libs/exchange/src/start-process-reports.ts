import type { ProcessReport } from '@weir/contracts';
import type { RouteHealth } from '@weir/routing';
import { randomUUID } from 'node:crypto';

/** Where reports are kept; see `ProcessReports` of access. */
type Reports = {
  publish(processId: string, report: string, forMs: number): Promise<void>;
  withdraw(processId: string): Promise<void>;
};

type ReporterParts = {
  readonly reports: Reports;
  readonly health: Pick<RouteHealth, 'describe'>;
  readonly providers: { describe(): ProcessReport['providers'] };
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly everyMs?: number;
  /** What is the same as before is said again only so often, to be heard of at all. */
  readonly againMs?: number;
  readonly keptMs?: number;
};

const EVERY_MS = 3_000;
const AGAIN_MS = 9_000;
const KEPT_MS = 30_000;

/**
 * Reports every few seconds what this process knows of providers. No request waits for it or does anything for it, and a
 * report that cannot be published is left out: the next one has all of it. Returns how to stop, and be forgotten.
 */
export function startProcessReports(parts: ReporterParts): () => Promise<void> {
  const { reports, health, now, everyMs = EVERY_MS, againMs = AGAIN_MS, keptMs = KEPT_MS } = parts;
  const id = randomUUID();
  const last = { text: '', atMs: -Infinity };
  let running: Promise<void> | undefined;

  const publish = async (): Promise<void> => {
    const known = { providers: parts.providers.describe(), ...health.describe() };
    const text = JSON.stringify(known);
    const atMs = now();
    if (text === last.text && Math.abs(atMs - last.atMs) < againMs) return;
    await reports.publish(id, JSON.stringify({ atMs, ...known } satisfies ProcessReport), keptMs);
    Object.assign(last, { text, atMs });
  };
  const report = (): void => {
    running ??= publish()
      .catch(() => undefined)
      .finally(() => (running = undefined));
  };

  report();
  const timer = setInterval(report, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
    await reports.withdraw(id).catch(() => undefined);
  };
}
