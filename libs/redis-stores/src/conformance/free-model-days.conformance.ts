import { randomUUID } from 'node:crypto';
import type { CountFreePlaces, FreeModelDays, FreePlace } from '@weir/limits';

const DAY = Date.UTC(2026, 10, 21);

/** What all free-model days promise. `open` answers a new view of the same counts, as another process has it. */
export function describeFreeModelDays(name: string, open: (countPlaces: CountFreePlaces) => FreeModelDays): void {
  const nothingYet = (): Promise<number> => Promise.resolve(0);
  const placeOf = (organizationId: string, more: Partial<FreePlace> = {}): FreePlace => ({
    organizationId,
    dayMs: DAY,
    requestId: randomUUID(),
    ...more,
  });

  describe(`${name} as free-model days`, () => {
    it('lets in exactly the limit, however many ask at once through however many processes', async () => {
      const organization = randomUUID();
      const processes = Array.from({ length: 4 }, () => open(nothingYet));
      const verdicts = await Promise.all(
        Array.from({ length: 400 }, (_, at) => (processes[at % 4] ?? open(nothingYet)).take(placeOf(organization), 200)),
      );

      expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(200);
      expect(Math.max(...verdicts.map(({ used }) => used))).toBe(200);
    });

    it('counts a request once, whatever is repeated', async () => {
      const [place, days] = [placeOf(randomUUID()), open(nothingYet)];
      for (let count = 0; count < 3; count += 1) expect(await days.take(place, 1)).toEqual({ isAllowed: true, used: 1 });
      expect(await days.take(placeOf(place.organizationId), 1)).toEqual({ isAllowed: false, used: 1 });
    });

    it('gives a place back once, and nothing for a place that was never taken', async () => {
      const [organization, days] = [randomUUID(), open(nothingYet)];
      const [first, second] = [placeOf(organization), placeOf(organization)];
      await days.giveBack(first);
      await days.take(first, 2);
      await days.take(second, 2);
      for (let count = 0; count < 3; count += 1) await days.giveBack(first);
      await days.giveBack(placeOf(organization));

      expect(await days.take(placeOf(organization), 2)).toEqual({ isAllowed: true, used: 2 });
      expect(await days.take(placeOf(organization), 2)).toEqual({ isAllowed: false, used: 2 });
    });

    it('keeps organizations and days apart', async () => {
      const [organization, days] = [randomUUID(), open(nothingYet)];
      for (const place of [placeOf(organization), placeOf(organization, { dayMs: DAY + 86_400_000 }), placeOf(randomUUID())]) {
        expect(await days.take(place, 1)).toEqual({ isAllowed: true, used: 1 });
      }
    });

    it('follows a limit that is raised at once', async () => {
      const [organization, days] = [randomUUID(), open(nothingYet)];
      await days.take(placeOf(organization), 1);
      expect((await days.take(placeOf(organization), 1)).isAllowed).toBe(false);
      expect(await days.take(placeOf(organization), 5)).toEqual({ isAllowed: true, used: 2 });
    });

    it('starts a day it does not know from what was used, and lets nobody in uncounted', async () => {
      const [organization, days] = [randomUUID(), open(() => Promise.resolve(198))];
      const verdicts = await Promise.all(Array.from({ length: 10 }, () => days.take(placeOf(organization), 200)));

      expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(2);
      await expect(open(() => Promise.reject(new Error('uncounted'))).take(placeOf(randomUUID()), 200)).rejects.toThrow('uncounted');
    });
  });
}
