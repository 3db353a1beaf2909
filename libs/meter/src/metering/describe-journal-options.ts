import type { Timers } from '@weir/contracts';
import type { Logger } from '@weir/telemetry';
import type { UsageJournalOptions } from '@weir/usage-journal';
import { createCrashCloser } from '../create-crash-closer';

type JournalSettings = Pick<
  UsageJournalOptions,
  'directory' | 'durability' | 'bytesMax' | 'segmentBytesMax' | 'isNewerAllowed' | 'failPoint' | 'onHarm'
> & {
  readonly log: Logger;
  readonly onFailure: () => void;
  readonly surroundings?: Partial<Surroundings>;
};

/** What metering has of its machine; of Node and the operating system unless given, as in a simulation. */
export type Surroundings = {
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number;
  readonly timers: Timers;
  readonly files: NonNullable<UsageJournalOptions['files']>;
  readonly newWriterId: () => string;
  readonly reserveBytes: number;
};

/** How metering opens journals, its own and those of the dead. */
export function describeJournalOptions(settings: JournalSettings): UsageJournalOptions {
  const {
    onFailure,
    log,
    directory,
    durability,
    bytesMax,
    segmentBytesMax,
    isNewerAllowed,
    failPoint,
    onHarm,
    surroundings = {},
  } = settings;
  const { now = Date.now, timers, files, newWriterId, reserveBytes } = surroundings;
  return {
    ...{ directory, durability, log },
    ...(bytesMax === undefined ? {} : { bytesMax }),
    ...(segmentBytesMax === undefined ? {} : { segmentBytesMax }),
    ...(isNewerAllowed === undefined ? {} : { isNewerAllowed }),
    ...(failPoint === undefined ? {} : { failPoint }),
    ...(onHarm === undefined ? {} : { onHarm }),
    ...(timers === undefined ? {} : { timers }),
    ...(files === undefined ? {} : { files }),
    ...(newWriterId === undefined ? {} : { newWriterId }),
    ...(reserveBytes === undefined ? {} : { reserveBytes }),
    closeCrashed: createCrashCloser({ now }),
    now,
    onFailure: (error: Error) => {
      log.fatal({ error }, 'the usage journal cannot be written: no request runs unmetered, so this process ends');
      onFailure();
    },
  };
}
