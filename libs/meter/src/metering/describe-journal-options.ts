import type { Logger } from '@weir/telemetry';
import type { UsageJournalOptions } from '@weir/usage-journal';
import { createCrashCloser } from '../create-crash-closer';

type JournalSettings = Pick<UsageJournalOptions, 'directory' | 'durability' | 'bytesMax' | 'segmentBytesMax' | 'failPoint' | 'onHarm'> & {
  readonly log: Logger;
  readonly onFailure: () => void;
};

/** How metering opens journals, its own and those of the dead. */
export function describeJournalOptions(settings: JournalSettings): UsageJournalOptions {
  const { onFailure, log, directory, durability, bytesMax, segmentBytesMax, failPoint, onHarm } = settings;
  return {
    ...{ directory, durability, log },
    ...(bytesMax === undefined ? {} : { bytesMax }),
    ...(segmentBytesMax === undefined ? {} : { segmentBytesMax }),
    ...(failPoint === undefined ? {} : { failPoint }),
    ...(onHarm === undefined ? {} : { onHarm }),
    closeCrashed: createCrashCloser({ now: Date.now }),
    now: Date.now,
    onFailure: (error: Error) => {
      log.fatal({ error }, 'the usage journal cannot be written: no request runs unmetered, so this process ends');
      onFailure();
    },
  };
}
