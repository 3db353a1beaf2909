import { NODE_TIMERS, type Timers } from '@weir/contracts';
import type { UsageJournal } from '../usage-journal';

const LOOK_MS = 250;

type Waiting = { readonly timers?: Timers | undefined; readonly isClosed: () => boolean };

/**
 * Waits for ends that recovery made and that a full disk has not taken yet: they have no sequence that anyone could wait for,
 * and a journal that is removed before they are written has lost them.
 */
export async function waitUntilWritten(journal: Pick<UsageJournal, 'stats'>, { timers = NODE_TIMERS, isClosed }: Waiting): Promise<void> {
  while (journal.stats().unwritten > 0 && !isClosed()) await new Promise<void>((resolve) => timers.setTimeout(resolve, LOOK_MS));
}
