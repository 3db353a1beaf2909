import type { LossReport, SpeechRequest } from '@weir/canonical';

/** The speed a caller asked for, as near as the provider goes; absent where it is the natural one. */
export function limitSpeed({ speed }: SpeechRequest, [min, max]: readonly [number, number], losses: LossReport): number | undefined {
  if (speed === 1) return undefined;
  const limited = Math.min(max, Math.max(min, speed));
  if (limited !== speed) losses.approximated.add('speed');
  return limited;
}
