import type { JournalLog } from '@weir/usage-journal';

/** How often one counter that is broken for good may be logged. */
const QUIET_MS = 60_000;

type DoubtedAttempt = { readonly eventId: string; readonly modelId: string; readonly providerId: string };

export type DoubtLog = (attempt: DoubtedAttempt, counted: { readonly reported: unknown; readonly charged: unknown }) => void;

/**
 * Logs what providers report that is not plausible: of each model of each provider at once, and then once a minute with the `count`
 * of such attempts since. All of them are in the metric, and in their events.
 */
export function createDoubtLog(log: JournalLog | undefined, elapsed: () => number, message: string): DoubtLog {
  const routes = new Map<string, { saidAt: number; count: number }>();
  return (attempt, counted) => {
    const route = `${attempt.providerId} ${attempt.modelId}`;
    const known = routes.get(route);
    const count = (known?.count ?? 0) + 1;
    const now = elapsed();
    if (known !== undefined && now - known.saidAt < QUIET_MS) {
      known.count = count;
      return;
    }
    routes.set(route, { saidAt: now, count: 0 });
    log?.error({ ...attempt, ...counted, count }, message);
  };
}
