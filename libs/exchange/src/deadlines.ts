import { OpenItems, type Place } from '@weir/collections';

/** No deadline is early, and none later than this, as far as the event loop is in time. */
const STEP_MS = 100;

type Due = { readonly atMs: number; readonly onTime: () => void };

export type Deadline = Place<Due>;

/**
 * Deadlines of all requests on one timer: nearly none is ever reached, and a timer for each costs every request its making
 * and its end. The timer runs while there is any.
 */
export class Deadlines {
  private readonly waiting = new OpenItems<Due>();
  private timer: NodeJS.Timeout | undefined;

  /** Returns what `cancel` takes. */
  add(afterMs: number, onTime: () => void): Deadline {
    const deadline = this.waiting.add({ atMs: performance.now() + afterMs, onTime });
    this.timer ??= setInterval(() => this.look(), STEP_MS);
    return deadline;
  }

  cancel(deadline: Deadline): void {
    this.waiting.remove(deadline);
  }

  private look(): void {
    const nowMs = performance.now();
    for (const deadline of this.waiting.places()) {
      if (deadline.item.atMs > nowMs) continue;
      this.waiting.remove(deadline);
      deadline.item.onTime();
    }
    if (this.waiting.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** Those of this process. */
export const deadlines = new Deadlines();
