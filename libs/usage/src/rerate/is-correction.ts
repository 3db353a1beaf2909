import type { UsageCorrection, UsageEvent } from '@weir/contracts';

/** Whether it corrects the cost of another event, and is none of an attempt itself. */
export function isCorrection(event: UsageEvent): event is UsageCorrection {
  return 'corrects' in event;
}
