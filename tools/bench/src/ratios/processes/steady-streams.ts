import type { ServerResponse } from 'node:http';

const TICK_MS = 20;

/** Streams that get a frame each at an even distance, until they are all ended. */
export type SteadyStreams = {
  add(response: ServerResponse): void;
  /** Each ends when its next frame would have been due. */
  end(): void;
};

/** One clock for all: each tick serves the streams of one slot, and a round of all slots is the distance of their frames. */
export function startSteadyStreams(everyMs: number, { frame, ending }: { frame: Buffer; ending: Buffer }): SteadyStreams {
  const slots = Array.from({ length: Math.max(1, Math.round(everyMs / TICK_MS)) }, () => new Set<ServerResponse>());
  let [added, tick, isEnding] = [0, 0, false];
  const timer = setInterval(() => {
    tick += 1;
    const slot = slots[tick % slots.length] as Set<ServerResponse>;
    for (const response of slot) {
      if (response.destroyed || isEnding) slot.delete(response);
      if (response.destroyed) continue;
      if (isEnding) response.end(ending);
      else response.write(frame);
    }
    if (isEnding && slots.every(({ size }) => size === 0)) clearInterval(timer);
  }, TICK_MS);
  return {
    add: (response) => {
      if (isEnding) return void response.end(ending);
      response.write(frame);
      slots[added % slots.length]?.add(response);
      added += 1;
    },
    end: () => (isEnding = true),
  };
}
