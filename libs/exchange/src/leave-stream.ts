import type { UpstreamBody } from '@weir/upstream-http';
import type { DrainLimit } from './drain-limit';
import type { PumpedExchange, StreamConsumer } from './pumped-exchange';

type Leaving = {
  readonly exchange: Pick<PumpedExchange, 'lane'>;
  readonly consumer: StreamConsumer;
  readonly body: UpstreamBody;
  readonly isOver: () => boolean;
  readonly finish: () => void;
};

/** How long a reply no one reads any more may still run at a provider that bills it whole. */
const DRAIN_MS = 120_000;

/**
 * The caller is gone: the upstream is cut where that stops the billing, else read on to the usage it will report. What can
 * be read no further is charged as the most it may come to.
 */
export function leaveStream({ exchange, consumer, body, isOver, finish }: Leaving, drains: DrainLimit): void {
  if (isOver()) return;
  const cut = (isBilledWhole: boolean): void => {
    if (isOver()) return;
    consumer.abandon(isBilledWhole);
    finish();
    body.destroy();
  };
  if (consumer.isComplete() || exchange.lane.provider.onCancel === 'abort') return cut(false);
  const place = drains.enter();
  if (place === undefined) return cut(true);
  const timer = setTimeout(() => cut(true), DRAIN_MS).unref();
  body.on('close', () => {
    clearTimeout(timer);
    place.leave();
  });
  body.on('data', (chunk) => {
    if (!place.count(chunk.length)) cut(true);
  });
  body.resume();
}
