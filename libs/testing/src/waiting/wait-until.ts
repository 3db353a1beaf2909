import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

/** Asks again and again until the answer is true. Rejects after `timeoutMs`, saying what was waited for. */
export async function waitUntil(what: string, isDone: () => Promise<boolean> | boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}
