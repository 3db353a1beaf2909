import type { UpstreamBody } from './response-body';

/** Pauses a body: what arrives meanwhile comes as one piece afterwards. */
export type ReadCoalescer = (body: PausableBody) => void;

type PausableBody = Pick<UpstreamBody, 'pause' | 'resume'>;

const PAUSE_MS = 250;
const LOOK_EVERY_MS = 20;

/**
 * For a process under load: most of what a stream costs is the same for one frame as for ten, so passing on a paused
 * stream takes half the CPU time. A body is paused at the end of the event loop's tick, when everything that had arrived
 * was emitted. Nothing is buffered here: the connection keeps what its sender goes on sending. One timer serves all bodies
 * and runs only while one is paused.
 */
export function createReadCoalescer(pauseMs: number = PAUSE_MS): ReadCoalescer {
  let pending = new Set<PausableBody>();
  const paused: { readonly body: PausableBody; readonly untilMs: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const resumeDue = (): void => {
    const nowMs = performance.now();
    const first = paused.findIndex(({ untilMs }) => untilMs > nowMs);
    for (const { body } of paused.splice(0, first === -1 ? paused.length : first)) body.resume();
    if (paused.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const pauseBodies = (): void => {
    const untilMs = performance.now() + pauseMs;
    for (const body of pending) {
      body.pause();
      paused.push({ body, untilMs });
    }
    // Not cleared: the table of a cleared one refers to the next, and so keeps what stands in it from being collected.
    pending = new Set();
    timer ??= setInterval(resumeDue, LOOK_EVERY_MS);
  };
  return (body) => {
    if (pending.size === 0) setImmediate(pauseBodies);
    pending.add(body);
  };
}
