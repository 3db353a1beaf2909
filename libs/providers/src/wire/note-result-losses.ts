import type { LossReport, ToolResultBlock } from '@weir/canonical';

/** For providers whose results of tools are text alone: neither marked for a cache nor as what came of a failure. */
export function noteResultLosses({ cache, isError }: ToolResultBlock, losses: LossReport): void {
  if (cache !== undefined) losses.dropped.add('cache_control');
  if (isError === true) losses.dropped.add('messages.is_error');
}
