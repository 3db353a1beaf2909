import type { CountFreePlaces, FreeModelDays } from './free-model-days';

type Day = { readonly base: number; readonly taken: Set<string> };

/** Days are kept this long, for requests that were admitted before midnight and fail after it. */
const DAYS_KEPT_MS = 2 * 86_400_000;

/** The adapter for one process. A day starts from what `countPlaces` knows of it. */
export function createMemoryFreeModelDays(countPlaces: CountFreePlaces): FreeModelDays {
  const days = new Map<string, Promise<Day>>();

  const load = (organizationId: string, dayMs: number): Promise<Day> => {
    for (const key of days.keys()) if (Number(key.slice(0, key.indexOf(' '))) <= dayMs - DAYS_KEPT_MS) days.delete(key);
    const key = `${dayMs} ${organizationId}`;
    const known = days.get(key);
    if (known !== undefined) return known;
    const day = countPlaces(organizationId, dayMs).then((base) => ({ base, taken: new Set<string>() }));
    days.set(key, day);
    day.catch(() => days.delete(key)); // asked again by the next request
    return day;
  };

  return {
    take: async ({ organizationId, dayMs, requestId }, limit) => {
      const { base, taken } = await load(organizationId, dayMs);
      const isAllowed = taken.has(requestId) || base + taken.size < limit;
      if (isAllowed) taken.add(requestId);
      return { isAllowed, used: base + taken.size };
    },
    giveBack: async ({ organizationId, dayMs, requestId }) => {
      const day = await days.get(`${dayMs} ${organizationId}`);
      day?.taken.delete(requestId);
    },
  };
}
