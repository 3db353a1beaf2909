// This library is the durable local log of usage: append, recover, ship, trim.
export { createUsageJournal } from './create-usage-journal';
export { DISK_CALLS } from './folder/journal-files';
export { measureOtherJournals } from './folder/measure-other-journals';
export type { JournalLog } from './ports/journal-log';
export { createJournalShipper } from './shipping/create-journal-shipper';
export { readEnds } from './shipping/read-ends';
export { keepTrimmed, type JournalTrimming } from './shipping/keep-trimmed';
export { shipAllJournals, type AllShipping } from './shipping/ship-all-journals';
export { shipOrphanJournals, type OrphanJournal } from './shipping/ship-orphan-journals';
export { JournalUnavailableError, type BegunText, type UsageJournal, type UsageJournalOptions } from './usage-journal';
