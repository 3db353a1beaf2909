import type { UpstreamBody } from './response-body';

/** Lets a body rest: what comes meanwhile comes as one piece afterwards. */
export type ReadCoalescer = (body: PausableBody) => void;

type PausableBody = Pick<UpstreamBody, 'pause' | 'resume'>;

const REST_MS = 250;
const LOOK_EVERY_MS = 20;

/**
 * For a process that has too much to do: most of what a stream costs is the same for one frame as for ten, so it passes a
 * rested stream on for half the price. A body rests from the end of the turn on, when all that had come has been told;
 * nothing is held here, the connection keeps what its sender goes on sending. One clock for all, which only runs while
 * a body rests.
 */
export function createReadCoalescer(restMs: number = REST_MS): ReadCoalescer {
  const tired = new Set<PausableBody>();
  const resting: { readonly body: PausableBody; readonly untilMs: number }[] = [];
  let clock: NodeJS.Timeout | undefined;
  const look = (): void => {
    const nowMs = performance.now();
    const first = resting.findIndex(({ untilMs }) => untilMs > nowMs);
    for (const { body } of resting.splice(0, first === -1 ? resting.length : first)) body.resume();
    if (resting.length > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
  const pauseBodies = (): void => {
    const untilMs = performance.now() + restMs;
    for (const body of tired) {
      body.pause();
      resting.push({ body, untilMs });
    }
    tired.clear();
    clock ??= setInterval(look, LOOK_EVERY_MS);
  };
  return (body) => {
    if (tired.size === 0) setImmediate(pauseBodies);
    tired.add(body);
  };
}
