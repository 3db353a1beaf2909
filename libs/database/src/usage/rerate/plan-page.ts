import type { UsageCorrection } from '@weir/contracts';
import { correctEvent, hasUsedNothing, readCurrentPrice, type RerateFacts } from '@weir/usage';
import type { FoundEvent } from './read-page';
import type { LeftEvent, PriceAgain, RerateSums } from './rerate-ask';

export type PlannedCorrection = { readonly correction: UsageCorrection; readonly admittedAtMs: number; readonly isTimeClamped: boolean };
export type PlannedPage = { readonly planned: readonly PlannedCorrection[]; readonly left: readonly LeftEvent[] };

/** What a page of events is corrected by. What used nothing costs nothing by every price, and is passed over. */
export function planPage(found: readonly FoundEvent[], price: PriceAgain, rerate: RerateFacts): PlannedPage {
  const planned: PlannedCorrection[] = [];
  const left: LeftEvent[] = [];
  for (const { priced, admittedAtMs, isTimeClamped } of found) {
    const { event } = priced;
    if (hasUsedNothing(event)) continue;
    const again = price(event, readCurrentPrice(priced).costPico);
    if ('left' in again) left.push({ eventId: event.event_id, organizationId: event.org_id, why: again.left });
    else planned.push({ correction: correctEvent(priced, again.costPico, rerate), admittedAtMs, isTimeClamped });
  }
  return { planned, left };
}

export function addPage(into: RerateSums, { planned, left }: PlannedPage): void {
  into.corrected += planned.length;
  into.leftOver += left.length;
  for (const { correction } of planned) {
    into.costPico += BigInt(correction.cost_p);
    into.billedPico += BigInt(correction.billed_p);
  }
}
