import { createIdempotencyRecords } from '@weir/database';
import type { OffboardingParts } from './finish-offboarding';
import { resumeOffboardings } from './finish-offboarding';

const EVERY_MS = 30_000;

/** Takes up, now and then, what a crash or a failing neighbour left; forgets what is out of date. Answers how to stop. */
export function startUpkeep(parts: OffboardingParts, everyMs = EVERY_MS): () => Promise<void> {
  const records = createIdempotencyRecords(parts.database.pool);
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      await resumeOffboardings(parts);
      await records.purge();
    } catch (error) {
      parts.log.warn({ err: error }, 'upkeep failed; trying again');
    }
  };
  const poke = (): void => {
    running ??= run().finally(() => (running = undefined));
  };
  poke();
  const timer = setInterval(poke, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
