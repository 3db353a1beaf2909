import { readFileSync } from 'node:fs';

/** Of the descriptors of the process: files, databases and what listens. */
const KEPT_BACK = 256;
const MIN = 128;
/** A machine has about 28,000 ports to call one address from. */
const MAX = 24_000;
/** Where the system does not say how many descriptors there are. */
const UNKNOWN = 2_048;

/** How many connections to one origin the process can have beside those of its callers, of whom each call has one. */
export function findConnectionsMax(limits: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  const descriptors = readDescriptors(limits);
  if (descriptors === undefined) return UNKNOWN;
  return Math.max(MIN, Math.min(MAX, Math.floor((descriptors - KEPT_BACK) / 2)));
}

function readDescriptors(limits: () => string): number | undefined {
  try {
    const [, most] = /^Max open files\s+(\d+|unlimited)/m.exec(limits()) ?? [];
    return most === undefined ? undefined : Number(most === 'unlimited' ? Infinity : most);
  } catch {
    return undefined; // not Linux
  }
}
