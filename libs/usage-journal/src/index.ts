// This library is the durable local log of usage: append, recover, ship, trim.
export { createUsageJournal } from './create-usage-journal';
export type { JournalLog } from './ports/journal-log';
export { createJournalShipper } from './shipping/create-journal-shipper';
export { readEnds } from './shipping/read-ends';
export { shipOrphanJournals, type OrphanJournal } from './shipping/ship-orphan-journals';
export { JournalUnavailableError, type UsageJournal } from './usage-journal';
