import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { readFamilies } from '../exposition/metric-family';
import { encodeMetrics } from './encode-metrics';
import type { OtlpOutcome, OtlpSender } from './send-otlp';
import type { Resource } from './resource';
import { createTotals, type Temporality } from './totals';

type ExportParts = {
  readonly resource: Resource;
  readonly registries: readonly Registry[];
  readonly send: OtlpSender;
  readonly temporality: Temporality;
  readonly everyMs: number;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => number;
};

export type MetricsExport = {
  /** Sends once more, and no more after that. */
  close(): Promise<void>;
};

/**
 * Sends what the registries hold to a collector, every so often and at the end. A message that is not taken is not sent
 * again: the next one says all that it said.
 */
export function startMetricsExport(parts: ExportParts): MetricsExport & { readonly sendNow: () => Promise<void> } {
  const { resource, registries, send, temporality, everyMs, now } = parts;
  const totals = createTotals(temporality, now);
  const report = createReport(parts.log);
  let sending: Promise<void> | undefined;
  const sendOnce = async (): Promise<void> => {
    const families = (await Promise.all(registries.map(readFamilies))).flat();
    const outcome = await send(encodeMetrics(resource, families, { nowMs: now(), totals }), 'DataPoints');
    if (outcome.kind === 'taken') totals.commit();
    report(outcome);
  };
  const sendNow = (): Promise<void> => (sending ??= sendOnce().finally(() => (sending = undefined)));
  const timer = setInterval(() => void sendNow(), everyMs);
  timer.unref();
  return {
    sendNow,
    close: async () => {
      clearInterval(timer);
      await sending;
      await sendNow();
    },
  };
}

/** One line when a collector stops taking metrics, and one when it takes them again. */
function createReport(log: ExportParts['log']): (outcome: OtlpOutcome) => void {
  let isAway = false;
  return (outcome) => {
    if (outcome.kind === 'taken') {
      if (isAway) log.info({}, 'the collector takes metrics again');
      if (outcome.rejected > 0) log.warn({ rejected: outcome.rejected, reason: outcome.message }, 'the collector refused some metrics');
    } else if (!isAway)
      log.warn({ reason: outcome.message }, 'the collector does not take metrics; they are sent again with the next ones');
    isAway = outcome.kind !== 'taken';
  };
}
