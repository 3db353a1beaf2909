import { createMetricsRegistry, createServerMetrics } from '@weir/telemetry';
import { createLoadShedder, type LoadShedder } from './load-shedder';

const METRICS = createServerMetrics(createMetricsRegistry());

/** CPU milliseconds: of a request that is begun, refused or ended, and of what came for a stream in one tick. */
const [BEGIN_MS, REFUSE_MS, END_MS, FRAMES_MS, FRAME_MS] = [1.6, 0.25, 1.2, 0.028, 0.02];
/** A reply of a model: so many frames over so long. */
const [FRAMES, REPLY_MS] = [200, 2000];
/** What is served later than this is no use to who asked. */
const PATIENCE_MS = 6000;
/** Nothing is counted before: it is learned first how much is too much. */
const SETTLE_MS = 20_000;

/** How much of its core a process gets, and how it is stopped again and again. */
type Machine = { readonly share: number; readonly stoppedMs?: number; readonly everyMs?: number };
const QUIET: Machine = { share: 1 };
/** Six others that want nothing but CPU time, on two cores. */
const CROWDED: Machine = { share: 2 / 7 };
const STUTTER: Machine = { share: 1, stoppedMs: 400, everyMs: 500 };

type Stream = { readonly askedAtMs: number; readonly startedAtMs: number; frames: number; restUntilMs: number };

/** A process in virtual time: in each tick it does what has gathered until its beginning, and is on its machine for as long as that takes. */
function runProcess(machine: Machine, seconds: number, arrive: (nowMs: number, underWay: number) => number, isShedding = true) {
  const { share, stoppedMs = 0, everyMs = 1 } = machine;
  const startMs = Date.now();
  let [nowMs, ticks, cpuMs, idleMs, seed] = [0, 0, 0, 0, 1];
  let tickStartCpuMs = 0;
  const before = { nowMs: 0, ticks: 0, cpuMs: 0, idleMs: 0 };
  const begin = (): void => void Object.assign(before, { nowMs, ticks, cpuMs, idleMs });
  const shedder: LoadShedder = createLoadShedder({
    inFlightMax: 16_000,
    metrics: METRICS,
    now: () => startMs + nowMs,
    random: () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647,
    reader: {
      begin,
      read: () => {
        const elapsedMs = nowMs - before.nowMs;
        const reading = {
          elapsedMs,
          tickMs: (cpuMs - before.cpuMs) / Math.max(1, ticks - before.ticks),
          utilization: 1 - (idleMs - before.idleMs) / Math.max(1, elapsedMs),
          heapUsed: 0.3,
        };
        begin();
        return reading;
      },
      readTickMs: () => cpuMs - tickStartCpuMs,
    },
  });
  const streams = new Set<Stream>();
  const seen = { refused: 0, servedInTime: 0, mostUnderWay: 0 };
  /** What came until the beginning of a tick, and when: the rest of what is asked comes in a later one. */
  let arrivals: number[] = [];
  const pass = (forMs: number): void => {
    const endMs = nowMs + forMs;
    while (nowMs < endMs) {
      nowMs += 1;
      for (let count = arrive(nowMs, streams.size + arrivals.length); count > 0; count -= 1) arrivals.push(nowMs);
    }
  };
  const runFor = (workMs: number): void => {
    let leftMs = workMs / share;
    while (leftMs > 0) {
      const untilStopMs = everyMs - stoppedMs - (nowMs % everyMs);
      if (stoppedMs > 0 && untilStopMs <= 0) pass(everyMs - (nowMs % everyMs));
      else {
        const ranMs = stoppedMs > 0 ? Math.min(leftMs, untilStopMs) : leftMs;
        pass(ranMs);
        leftMs -= ranMs;
      }
    }
  };
  const passOn = (tickMs: number): void => {
    for (const stream of streams) {
      if (stream.restUntilMs > tickMs) continue;
      if (shedder.isCrowded()) stream.restUntilMs = tickMs + 250;
      const due = Math.min(FRAMES, Math.floor(((tickMs - stream.startedAtMs) / REPLY_MS) * FRAMES));
      if (due > stream.frames) cpuMs += FRAMES_MS + (due - stream.frames) * FRAME_MS;
      stream.frames = due;
      if (due < FRAMES) continue;
      cpuMs += END_MS;
      streams.delete(stream);
      shedder.left();
      if (tickMs >= SETTLE_MS && tickMs - stream.askedAtMs <= PATIENCE_MS) seen.servedInTime += 1;
    }
  };
  const take = (tickMs: number): void => {
    const asked = arrivals;
    arrivals = [];
    for (const askedAtMs of asked) {
      const isRefused = isShedding && shedder.findRefusal('paid') !== undefined;
      cpuMs += isRefused ? REFUSE_MS : BEGIN_MS;
      if (isRefused) seen.refused += 1;
      else {
        streams.add({ askedAtMs, startedAtMs: tickMs, frames: 0, restUntilMs: 0 });
        shedder.entered();
      }
    }
  };
  while (nowMs < seconds * 1000) {
    tickStartCpuMs = cpuMs;
    const tickMs = nowMs;
    passOn(tickMs);
    take(tickMs);
    seen.mostUnderWay = Math.max(seen.mostUnderWay, streams.size);
    const workMs = cpuMs - tickStartCpuMs;
    if (workMs > 0) runFor(workMs);
    else {
      idleMs += 1;
      pass(1);
    }
    ticks += 1;
    // A timer that is due is called once a tick, however often it would have been.
    const dueMs = Math.min(250, startMs + nowMs - Date.now());
    jest.advanceTimersByTime(dueMs);
    jest.setSystemTime(startMs + nowMs);
  }
  shedder.close();
  return { ...seen, servedPerSecond: seen.servedInTime / (seconds - SETTLE_MS / 1000) };
}

/** So many requests a second, whether or not replies come. */
function open(perSecond: number): (nowMs: number) => number {
  let arrived = 0;
  return (nowMs) => {
    const more = Math.floor((nowMs * perSecond) / 1000) - arrived;
    arrived += more;
    return more;
  };
}

describe('D3: overload, by virtual time', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each<[string, Machine]>([
    ['alone', QUIET],
    ['beside six loops on two cores', CROWDED],
    ['in a stutter', STUTTER],
  ])('%s: refuses nothing at 16 in flight, and at five times what it can do goodput stays at 90 %%', (_name, machine) => {
    const closed = runProcess(machine, 60, (_nowMs, underWay) => 16 - underWay);
    expect([closed.refused, closed.mostUnderWay]).toEqual([0, 16]);
    expect(closed.servedPerSecond).toBeGreaterThan(4);

    const capacity = machine.share * (1 - (machine.stoppedMs ?? 0) / (machine.everyMs ?? 1)) * 80;
    const tried = [1, 1.15, 1.3, 1.45].map((times) => runProcess(machine, 40, open(capacity * times), false).servedPerSecond);
    const best = Math.max(...tried);
    const flooded = runProcess(machine, 80, open(best * 5));
    expect(flooded.servedPerSecond).toBeGreaterThan(0.9 * best);
  });

  it('without it, next to nothing is served in time', () => {
    expect(runProcess(QUIET, 60, open(500), false).servedPerSecond).toBeLessThan(10);
  });
});
