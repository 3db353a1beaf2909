const FIRST_MS = 100;
const MAX_MS = 5_000;

/** How long to wait before try number `failures` + 1: doubling from 100 ms to 5 s. */
export function retryPauseMs(failures: number): number {
  return Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
}
