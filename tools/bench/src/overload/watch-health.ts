import { readMetrics } from '@weir/chaos';
import type { Harness } from '@weir/gateway-e2e';
import { setTimeout as pause } from 'node:timers/promises';

export type HealthSeen = {
  readonly asked: number;
  /** Not answered with 200. */
  readonly failed: number;
  readonly mostMs: number;
  readonly mostRssMb: number;
  readonly mostPressure: number;
};

const LOOK_EVERY_MS = 500;

/** Asks again and again how a gateway is and whether a key is good, as a platform does. */
export function watchHealth({ url, metricsUrl, apiKey }: Harness): { stop(): Promise<HealthSeen> } {
  const seen = { asked: 0, failed: 0, mostMs: 0, mostRssMb: 0, mostPressure: 0 };
  let isOver = false;
  const ask = async (address: string): Promise<void> => {
    const startedAt = performance.now();
    const status = await fetch(address, { headers: { authorization: `Bearer ${apiKey}` } }).then(
      (reply) => reply.arrayBuffer().then(() => reply.status),
      () => 0,
    );
    seen.asked += 1;
    if (status !== 200) seen.failed += 1;
    seen.mostMs = Math.max(seen.mostMs, performance.now() - startedAt);
  };
  const looking = (async (): Promise<void> => {
    while (!isOver) {
      for (const address of [`${metricsUrl}/healthz`, `${url}/healthz`, `${url}/readyz`, `${url}/v1/auth/check`]) await ask(address);
      const metrics = await readMetrics(metricsUrl);
      seen.mostRssMb = Math.max(seen.mostRssMb, (metrics.get('process_resident_memory_bytes') ?? NaN) / 2 ** 20);
      seen.mostPressure = Math.max(seen.mostPressure, metrics.get('weir_load_pressure') ?? NaN);
      await pause(LOOK_EVERY_MS);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await looking;
      return seen;
    },
  };
}
