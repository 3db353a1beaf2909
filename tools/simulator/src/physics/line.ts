import type { SimProcess } from './sim-process';
import type { Physics } from './physics';

/** A call did not get through, or its reply did not: whether it had an effect is not known, unless `isCertain`. */
export class LineError extends Error {
  constructor(
    message: string,
    readonly isCertain = false,
  ) {
    super(message);
    this.name = 'LineError';
  }
}

type CallOptions = {
  readonly what: string;
  readonly timeoutMs: number;
  /** A second delivery of the same call is possible: clients that send again after a connection broke. */
  readonly isRepeatable?: boolean;
};

/** Another part, as it can be reached or not. */
type Peer = { readonly name: string; readonly isUp: boolean };

const LATENCY_MS = { least: 0.1, most: 3 };

/**
 * The connection of one process to one part: calls arrive in their order, late, twice or not at all, and replies get lost after
 * their effect.
 */
export class Line {
  private readonly world: Physics;
  private arrivesMs = -Infinity;

  constructor(
    private readonly process: SimProcess,
    private readonly peer: Peer,
  ) {
    this.world = process.world;
  }

  /** `serve` runs at the other side, at the moment when the call arrives. */
  call<Result>({ what, timeoutMs, isRepeatable = false }: CallOptions, serve: () => Result | Promise<Result>): Promise<Result> {
    const { process, peer, world } = this;
    process.step(`${peer.name} ${what}`);
    const { scheduler, faults, dice } = world;
    return new Promise((resolve, reject) => {
      const fail = (message: string, isCertain: boolean, afterMs: number) =>
        scheduler.after(afterMs, process, () => reject(new LineError(`${peer.name} ${what}: ${message}`, isCertain)));
      // Late is as good as never to the caller, and has its effect all the same.
      const timeout = fail('timed out', false, timeoutMs);
      if (world.isCut(process.name, peer.name) || faults.happens('request-lost', 0.004)) return;
      const there = Math.max(this.latency(), this.arrivesMs - scheduler.nowMs);
      this.arrivesMs = scheduler.nowMs + there;
      if (world.isDetailed) world.trace.note(process.name, `calls ${peer.name}: ${what}`);
      const isReplyLost = faults.happens('reply-lost', 0.004);
      const settle = (run: () => void): void => {
        if (isReplyLost) return;
        scheduler.after(this.latency(), process, () => {
          timeout.isCancelled = true;
          run();
        });
      };
      scheduler.after(there, null, () => {
        if (!peer.isUp) return void fail('refused', true, 0.2);
        attempt(serve).then(
          (result) => settle(() => resolve(result)),
          (error: unknown) => settle(() => reject(error as Error)),
        );
      });
      if (!isRepeatable || !faults.happens('duplicate', 0.004)) return;
      scheduler.after(there + dice.network.next() * 5_000, null, () => {
        if (peer.isUp) attempt(serve).catch(() => undefined);
      });
    });
  }

  private latency(): number {
    const { faults, dice } = this.world;
    const thrown = dice.network.next();
    const usual = LATENCY_MS.least + thrown * (LATENCY_MS.most - LATENCY_MS.least);
    return faults.happens('delay', 0.01) ? usual * 400 * thrown : usual;
  }
}

/** What it throws rejects. */
function attempt<Result>(serve: () => Result | Promise<Result>): Promise<Result> {
  try {
    return Promise.resolve(serve());
  } catch (error) {
    return Promise.reject(error as Error);
  }
}
