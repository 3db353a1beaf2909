import type { Random } from '../random';
import type { VirtualTime } from '../virtual-time';
import type { Home } from './home';
import { FAIR, FOUL, type Network } from './network';
import type { Region } from './region';

type FaultOptions = {
  readonly random: Random;
  readonly time: VirtualTime;
  readonly network: Network;
  readonly home: Home;
  readonly regions: readonly Region[];
  /** The region is gone with all that ran in it. */
  readonly crash: (region: Region) => void;
  /** Hears how many faults there are at the moment. */
  readonly onCount: (count: number) => void;
  readonly untilMs: number;
};

/** What ends it. */
type Fault = (options: FaultOptions) => () => void;

const FAULTS: readonly Fault[] = [
  ({ random, network, regions }) => {
    const { name } = random.pick(regions);
    network.cutOff.add(name);
    return () => network.cutOff.delete(name);
  },
  ({ network, regions }) => {
    for (const { name } of regions) network.cutOff.add(name);
    return () => network.cutOff.clear();
  },
  ({ network }) => {
    network.weather = FOUL;
    return () => {
      network.weather = FAIR;
    };
  },
  ({ random, regions, crash }) => {
    const region = random.pick(regions);
    if (!region.isUp) return () => undefined;
    crash(region);
    return () => region.restart();
  },
  ({ home }) => {
    if (!home.isUp) return () => undefined;
    home.crash();
    return () => home.restart();
  },
];

const REST_MS = { min: 500, max: 15_000 } as const;
const LASTS_MS = { min: 300, max: 12_000 } as const;

/** One after the other, and now and then several at once; all are over in the end. */
export function planFaults(options: FaultOptions): void {
  const { random, time, untilMs, onCount } = options;
  let count = 0;
  const begin = (): void => {
    const lastsMs = random.integer(LASTS_MS.min, LASTS_MS.max);
    if (time.nowMs() + lastsMs > untilMs) return;
    const end = random.pick(FAULTS)(options);
    onCount((count += 1));
    time.after(lastsMs, () => {
      end();
      onCount((count -= 1));
    });
    time.after(random.chance(0.2) ? lastsMs / 2 : lastsMs + random.integer(REST_MS.min, REST_MS.max), begin);
  };
  time.after(random.integer(REST_MS.min, REST_MS.max), begin);
}
