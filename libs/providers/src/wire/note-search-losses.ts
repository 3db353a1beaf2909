import type { LossReport, WebSearchTool } from '@weir/canonical';

/** For providers whose search takes neither the user's location nor how much to look up. */
export function noteSearchLosses({ userLocation, contextSize }: WebSearchTool, losses: LossReport): void {
  if (userLocation !== undefined) losses.dropped.add('user_location');
  if (contextSize !== undefined) losses.dropped.add('search_context_size');
}
