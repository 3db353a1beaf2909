import type { CountFreeSlots, FreeModelDays, FreeSlot } from './free-model-days';

type MemoryFreeModelDaysOptions = {
  readonly countSlots: CountFreeSlots;
  readonly keptMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

type Day = {
  readonly base: number;
  /** Until when each is kept; for ever once it is used. */
  readonly taken: Map<string, number>;
  /** No slot is given up before this. */
  quietUntilMs: number;
};

/** Days are kept this long, for requests that were admitted before midnight and fail after it. */
const DAYS_KEPT_MS = 2 * 86_400_000;

/** The adapter for one process. A day starts from what `countSlots` knows of it. */
export function createMemoryFreeModelDays({ countSlots, keptMs, now }: MemoryFreeModelDaysOptions): FreeModelDays {
  const days = new Map<string, Promise<Day>>();

  const load = (organizationId: string, dayMs: number): Promise<Day> => {
    for (const key of days.keys()) if (Number(key.slice(0, key.indexOf(' '))) <= dayMs - DAYS_KEPT_MS) days.delete(key);
    const key = `${dayMs} ${organizationId}`;
    const known = days.get(key);
    if (known !== undefined) return known;
    const day = countSlots(organizationId, dayMs).then((base) => ({ base, taken: new Map<string, number>(), quietUntilMs: Infinity }));
    days.set(key, day);
    day.catch(() => days.delete(key)); // asked again by the next request
    return day;
  };
  const enter = async ({ organizationId, dayMs, requestId }: FreeSlot, untilMs: number): Promise<void> => {
    const day = await load(organizationId, dayMs);
    if (untilMs > (day.taken.get(requestId) ?? 0)) enterSlot(day, requestId, untilMs);
  };

  return {
    keptMs,
    take: async ({ organizationId, dayMs, requestId }, limit) => {
      const day = await load(organizationId, dayMs);
      const nowMs = now();
      giveUpUnkept(day, nowMs);
      const { base, taken } = day;
      const isAllowed = taken.has(requestId) || base + taken.size < limit;
      if (isAllowed && !taken.has(requestId)) enterSlot(day, requestId, nowMs + keptMs);
      return { isAllowed, used: base + taken.size };
    },
    readUsed: async ({ organizationId, dayMs }) => {
      const day = await load(organizationId, dayMs);
      giveUpUnkept(day, now());
      return day.base + day.taken.size;
    },
    keep: (slot) => enter(slot, now() + keptMs),
    use: (slot) => enter(slot, Infinity),
    giveBack: async ({ organizationId, dayMs, requestId }) => {
      const day = await days.get(`${dayMs} ${organizationId}`);
      day?.taken.delete(requestId);
    },
  };
}

function enterSlot(day: Day, requestId: string, untilMs: number): void {
  day.taken.set(requestId, untilMs);
  day.quietUntilMs = Math.min(day.quietUntilMs, untilMs);
}

function giveUpUnkept(day: Day, nowMs: number): void {
  if (nowMs <= day.quietUntilMs) return;
  day.quietUntilMs = Infinity;
  for (const [requestId, untilMs] of day.taken) {
    if (untilMs < nowMs) day.taken.delete(requestId);
    else day.quietUntilMs = Math.min(day.quietUntilMs, untilMs);
  }
}
