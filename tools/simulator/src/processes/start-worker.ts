import type { Passport } from '@weir/contracts';
import { createFreeSlotKeeper, openMetering, RequestMeter, type Metering } from '@weir/meter';
import { hideBeginnings } from '../disk/hide-beginnings';
import { openFiles } from '../disk/open-files';
import type { SimDisk } from '../disk/sim-disk';
import type { Script } from '../load/script';
import { createCounterClient } from '../parts/counter-client';
import { rollUuid } from '../physics/dice';
import { Line } from '../physics/line';
import type { SimProcess } from '../physics/sim-process';
import type { Ending, World } from '../world/world';
import { createQuietLog } from './quiet-log';
import { serveRequest } from './serve-request';

const PUBLISH_TIMEOUT_MS = 5_000;

export type WorkerLife = {
  /** Serves a request to its end; rejects with what its caller is refused with. */
  serve(passport: Passport, script: Script, caller: { readonly isGone: () => boolean }): Promise<Ending>;
  /** Nothing is open, and all that ended is known to be counted. */
  isAtRest(): boolean;
  /** The full disk has not taken all ends: replies wait for it. */
  hasUnwritten(): boolean;
  /** Journals of dead workers that are being shipped. */
  countOrphans(): number;
};

/** The product's metering, with its journal on a simulated disk; what it meters is a provider by script. */
export function startWorker(world: World, process: SimProcess, disk: SimDisk): WorkerLife {
  const log = createQuietLog(process);
  const client = createCounterClient(process, world.counters);
  const metering = openWorkerMetering(world, process, disk, { log, client });
  const { now, timers } = process;
  const slots = createFreeSlotKeeper({ freeModelDays: client.freeDays, now, onLost: () => undefined, timers });
  return {
    serve: (passport, script, caller) => {
      const meter = new RequestMeter({ passport } as ConstructorParameters<typeof RequestMeter>[0], {
        meter: metering.meter,
        slots,
        holds: metering.holds,
      });
      return serveRequest({ world, process, metering, meter, passport, script, ...caller });
    },
    hasUnwritten: () => metering.read().unwritten > 0,
    countOrphans: () => metering.read().orphans,
    isAtRest: () => {
      const { openAttempts, unaggregated, orphans } = metering.read();
      return openAttempts === 0 && unaggregated === 0 && orphans === 0;
    },
  };
}

type Given = { readonly log: ReturnType<typeof createQuietLog>; readonly client: ReturnType<typeof createCounterClient> };

function openWorkerMetering(world: World, process: SimProcess, disk: SimDisk, { log, client }: Given): Metering {
  const bus = new Line(process, world.bus);
  const { settings, faults } = world;
  const { now, elapsed, timers } = process;
  const files = openFiles(disk, process);
  return openMetering({
    ...{ directory: '/journal', durability: settings.durability, bytesMax: 64 * 1024 * 1024, segmentBytesMax: settings.segmentBytes },
    ...{ resendAfterMs: settings.resendAfterMs, watermarks: client.watermarks, log },
    publish: (events) =>
      bus.call({ what: `publish ${events.length}`, timeoutMs: PUBLISH_TIMEOUT_MS, isRepeatable: true }, () => world.bus.append(events)),
    onLost: (count) => {
      if (count > 0) world.trace.note(process.name, `lost ${count} sequences`);
    },
    onHarm: () => world.trace.note(process.name, 'finds its journal harmed'),
    onFailure: () => void world.scheduler.after(0, process, () => process.kill('ends for its journal')),
    failPoint: (name) => process.step(name),
    holds: { store: client.holds, ttlMs: settings.holdTtlMs },
    surroundings: {
      ...{ now, elapsed, timers },
      files: faults.isMutated('forget-begin') ? { ...files, readFileSync: (path) => hideBeginnings(files.readFileSync(path)) } : files,
      newWriterId: () => rollUuid(world.dice.names),
      reserveBytes: settings.reserveBytes,
    },
  });
}
