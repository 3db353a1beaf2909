import type { Logger } from '@weir/telemetry';
import type { SimProcess } from '../physics/sim-process';

/** What a process logs becomes lines of the trace: the messages alone, as objects may name what no seed decides. */
export function createQuietLog(process: SimProcess): Logger {
  const note =
    (level: string) =>
    (_fields: unknown, message?: string): void => {
      if (process.isAlive) process.world.trace.note(process.name, `${level} ${message ?? ''}`);
    };
  const silent = (): void => undefined;
  const log = { info: silent, debug: silent, trace: silent, warn: note('warns'), error: note('errs'), fatal: note('is done:') };
  return { ...log, child: () => log } as unknown as Logger;
}
