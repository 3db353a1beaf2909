import type { Logger } from '@weir/telemetry';
import type { RunningService } from './run-service';

/** Below this, a repeated signal is one wish that came twice: a terminal sends it to every process, and npm passes it on. */
const DELIBERATE_AFTER_MS = 1_000;
const LISTENED_EVERY_MS = 100;
const REPORT_EVERY_MS = 5_000;
const CUT_WITHIN_MS = 5_000;

type StopOptions = {
  readonly drainTimeoutMs: number;
  readonly log: Logger;
  readonly exit: (code: number) => void;
};

/** Begins the stop for a reason that is no signal; does nothing when it has begun. */
export type AskToStop = (reason: string) => void;

/**
 * Stops a service on SIGTERM, SIGINT or SIGHUP: running requests may finish. What comes while it stops changes nothing, but
 * for a wish that is a second one: Ctrl-C, or the signal that began the stop, a second or more after it. That one cuts them. The
 * second is one in which this process had its turns: a signal that waited while it had none came earlier than it is seen.
 */
export function stopOnSignals(service: Pick<RunningService, 'stop' | 'runningRequests'>, options: StopOptions): AskToStop {
  const { drainTimeoutMs, log } = options;
  let begun: { readonly by: string; readonly listenedMs: () => number } | undefined;
  let isCutting = false;

  const begin = (by: string): void => {
    begun = { by, listenedMs: measureListening() };
    const runningRequests = service.runningRequests();
    log.info({ reason: by, runningRequests }, describeBeginning(runningRequests, drainTimeoutMs));
    const reports = reportWaiting(service, options);
    service.stop(drainTimeoutMs).then(
      () => {
        clearInterval(reports);
        log.info('stopped');
        options.exit(0);
      },
      (error: unknown) => {
        log.error({ error }, 'stopping failed');
        options.exit(1);
      },
    );
  };
  const cut = (signal: string): void => {
    if (isCutting) return;
    isCutting = true;
    const runningRequests = service.runningRequests();
    log.warn({ reason: signal, runningRequests }, `stopping at once: ${countRequests(runningRequests)} cut`);
    // How the stop ends is reported by who began it.
    service.stop(0).catch(() => undefined);
    setTimeout(() => options.exit(1), CUT_WITHIN_MS).unref();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (begun === undefined) return begin(signal);
    const isSecondWish = signal === 'SIGINT' || (signal === 'SIGTERM' && begun.by === signal);
    if (isSecondWish && begun.listenedMs() >= DELIBERATE_AFTER_MS) cut(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  return (reason) => {
    if (begun === undefined) begin(reason);
  };
}

/** Measures how long the process has listened since: a turn that came late counts as one that came in time. */
function measureListening(): () => number {
  let listenedMs = 0;
  const turns = setInterval(() => {
    listenedMs += LISTENED_EVERY_MS;
    if (listenedMs >= DELIBERATE_AFTER_MS) clearInterval(turns);
  }, LISTENED_EVERY_MS).unref();
  return () => listenedMs;
}

function describeBeginning(requests: number, drainTimeoutMs: number): string {
  if (requests === 0) return 'stopping: no request is running';
  return `stopping: waiting for ${countRequests(requests)}, ${toSeconds(drainTimeoutMs)} s at most; Ctrl-C again ends at once`;
}

/** Reports now and then what is still waited for. */
function reportWaiting(service: Pick<RunningService, 'runningRequests'>, { drainTimeoutMs, log }: StopOptions): NodeJS.Timeout {
  const until = performance.now() + drainTimeoutMs;
  const report = (): void => {
    const runningRequests = service.runningRequests();
    if (runningRequests === 0) return;
    const secondsLeft = toSeconds(Math.max(0, until - performance.now()));
    log.info({ runningRequests, secondsLeft }, `stopping: still waiting for ${countRequests(runningRequests)}, ${secondsLeft} s at most`);
  };
  return setInterval(report, REPORT_EVERY_MS).unref();
}

function countRequests(count: number): string {
  return count === 1 ? '1 running request' : `${count} running requests`;
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
