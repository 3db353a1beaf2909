import type { Timer, Timers } from '@weir/contracts';
import type { Owner, Scheduled } from './scheduler';
import type { Physics } from './physics';

/** Thrown where a process dies, and wherever code of it still runs into one of its ports. Nothing it does has an effect then. */
class ProcessDied extends Error {
  constructor(name: string) {
    super(`${name} is dead`);
    this.name = 'ProcessDied';
  }
}

type SimTimer = Timer & { readonly scheduled: Scheduled[] };

/**
 * One life of a process: its clocks, its timers, and the steps at which it may die. Every port that its code has calls
 * `step` first, so it can die before any effect and after any other.
 */
export class SimProcess implements Owner {
  isAlive = true;
  frozenUntilMs = -Infinity;
  private readonly bornMs: number;

  constructor(
    readonly world: Physics,
    readonly name: string,
    /** What its time of day is off by. */
    private readonly skewMs: number,
    private readonly onDeath: () => void,
  ) {
    this.bornMs = world.scheduler.nowMs;
  }

  readonly now = (): number => Math.floor(this.world.scheduler.nowMs + this.skewMs);
  readonly elapsed = (): number => this.world.scheduler.nowMs - this.bornMs;

  /** Throws where it is dead, or dies here. */
  step(what: string): void {
    if (!this.isAlive) throw new ProcessDied(this.name);
    if (!this.world.faults.diesAt(this.name, what)) return;
    this.kill(`dies at ${what}`);
    throw new ProcessDied(this.name);
  }

  kill(how: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.world.trace.note(this.name, `FAULT ${how}`);
    this.onDeath();
  }

  readonly timers: Timers = {
    setTimeout: (run, ms) => {
      const timer = createTimer();
      timer.scheduled[0] = this.world.scheduler.after(ms, this, run);
      return timer;
    },
    clearTimeout: (timer) => cancel(timer),
    setInterval: (run, ms) => {
      const timer = createTimer();
      const again = (): void => {
        timer.scheduled[0] = this.world.scheduler.after(ms, this, () => {
          again();
          run();
        });
      };
      again();
      return timer;
    },
    clearInterval: (timer) => cancel(timer),
  };

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.world.scheduler.after(ms, this, resolve));
  }
}

function createTimer(): SimTimer {
  const timer: SimTimer = { scheduled: [], unref: () => timer };
  return timer;
}

function cancel(timer: Timer | undefined): void {
  const scheduled = (timer as SimTimer | undefined)?.scheduled[0];
  if (scheduled !== undefined) scheduled.isCancelled = true;
}
