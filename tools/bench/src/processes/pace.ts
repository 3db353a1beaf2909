/** When connections may send: at once, or at an even rate, each in its turn. */
export type Pace = {
  whenDue(send: () => void): void;
  /** Lets all go that wait, and waits with none after that. */
  stop(): void;
};

const TICK_MS = 1;

/** Without a rate nothing waits. */
export function startPace(perSecond: number | undefined): Pace {
  if (perSecond === undefined) return { whenDue: (send) => send(), stop: () => undefined };
  const waiting: (() => void)[] = [];
  const startedAt = performance.now();
  let sent = 0;
  let isOver = false;
  const release = (count: number): void => {
    for (const send of waiting.splice(0, count)) send();
  };
  const timer = setInterval(() => {
    const due = Math.min(countDue(perSecond, performance.now() - startedAt) - sent, waiting.length);
    sent += due;
    release(due);
  }, TICK_MS);
  return {
    whenDue: (send) => (isOver ? send() : void waiting.push(send)),
    stop: () => {
      isOver = true;
      clearInterval(timer);
      release(waiting.length);
    },
  };
}

/** How many requests a rate has come to after so long. */
export function countDue(perSecond: number, elapsedMs: number): number {
  return Math.floor((perSecond * elapsedMs) / 1_000);
}
