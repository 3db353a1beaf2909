import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { CountFreeSlots, FreeModelDays, FreeSlot } from '@weir/limits';

export type OpenFreeModelDays = (options: { readonly countSlots: CountFreeSlots; readonly keptMs: number }) => FreeModelDays;

const DAY = Date.UTC(2026, 10, 21);

/** What all free-model days promise. `open` returns a new view of the same counts, as another process has it. */
export function describeFreeModelDays(name: string, openDays: OpenFreeModelDays): void {
  const open = (countSlots: CountFreeSlots, keptMs = 60_000): FreeModelDays => openDays({ countSlots, keptMs });
  const nothingYet = (): Promise<number> => Promise.resolve(0);
  const slotOf = (organizationId: string, more: Partial<FreeSlot> = {}): FreeSlot => ({
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
        Array.from({ length: 400 }, (_, at) => (processes[at % 4] ?? open(nothingYet)).take(slotOf(organization), 200)),
      );

      expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(200);
      expect(Math.max(...verdicts.map(({ used }) => used))).toBe(200);
    });

    it('counts a request once, whatever is repeated', async () => {
      const [slot, days] = [slotOf(randomUUID()), open(nothingYet)];
      for (let count = 0; count < 3; count += 1) expect(await days.take(slot, 1)).toEqual({ isAllowed: true, used: 1 });
      expect(await days.take(slotOf(slot.organizationId), 1)).toEqual({ isAllowed: false, used: 1 });
    });

    it('gives a slot back once, and nothing for a slot that was never taken', async () => {
      const [organization, days] = [randomUUID(), open(nothingYet)];
      const [first, second] = [slotOf(organization), slotOf(organization)];
      await days.giveBack(first);
      await days.take(first, 2);
      await days.take(second, 2);
      for (let count = 0; count < 3; count += 1) await days.giveBack(first);
      await days.giveBack(slotOf(organization));

      expect(await days.take(slotOf(organization), 2)).toEqual({ isAllowed: true, used: 2 });
      expect(await days.take(slotOf(organization), 2)).toEqual({ isAllowed: false, used: 2 });
    });

    it('keeps organizations and days apart', async () => {
      const [organization, days] = [randomUUID(), open(nothingYet)];
      for (const slot of [slotOf(organization), slotOf(organization, { dayMs: DAY + 86_400_000 }), slotOf(randomUUID())]) {
        expect(await days.take(slot, 1)).toEqual({ isAllowed: true, used: 1 });
      }
    });

    it('follows a limit that is raised at once', async () => {
      const [organization, days] = [randomUUID(), open(nothingYet)];
      await days.take(slotOf(organization), 1);
      expect((await days.take(slotOf(organization), 1)).isAllowed).toBe(false);
      expect(await days.take(slotOf(organization), 5)).toEqual({ isAllowed: true, used: 2 });
    });

    it('starts a day it does not know from what was used, and lets no one in uncounted', async () => {
      const [organization, days] = [randomUUID(), open(() => Promise.resolve(198))];
      const verdicts = await Promise.all(Array.from({ length: 10 }, () => days.take(slotOf(organization), 200)));

      expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(2);
      await expect(open(() => Promise.reject(new Error('uncounted'))).take(slotOf(randomUUID()), 200)).rejects.toThrow('uncounted');
    });

    it('takes a slot that no one keeps or uses for a while only', async () => {
      const [organization, days] = [randomUUID(), open(nothingYet, 150)];
      const [orphan, running, used] = [slotOf(organization), slotOf(organization), slotOf(organization)];
      for (const slot of [orphan, running, used]) await days.take(slot, 3);
      await days.use(used);
      await days.keep(used);
      expect(await days.take(slotOf(organization), 3)).toEqual({ isAllowed: false, used: 3 });
      const [next, deadline] = [slotOf(organization), Date.now() + 10_000];
      while (!(await days.take(next, 3)).isAllowed) {
        if (Date.now() > deadline) throw new Error('the slot did not come back');
        await days.keep(running);
        await wait(5);
      }
      await days.use(next);
      await days.use(running);
      await wait(200);

      expect(await days.take(slotOf(organization), 3)).toEqual({ isAllowed: false, used: 3 });
    });

    it('returns how many places are taken, without those that were given up', async () => {
      const days = open(() => Promise.resolve(7), 50);
      const slot = slotOf(randomUUID());
      expect(await days.readUsed(slot)).toBe(7);
      await days.take(slot, 10);
      expect(await days.readUsed(slot)).toBe(8);
      const deadline = Date.now() + 10_000;
      while ((await days.readUsed(slot)) > 7 && Date.now() < deadline) await wait(5);
      expect(await days.readUsed(slot)).toBe(7);
    });

    it('counts a place that it lost when it is kept or used again, once', async () => {
      const [organization, days] = [randomUUID(), open(nothingYet)];
      const [running, used] = [slotOf(organization), slotOf(organization)];
      for (let count = 0; count < 2; count += 1) await Promise.all([days.keep(running), days.use(used)]);
      expect(await days.take(slotOf(organization), 3)).toEqual({ isAllowed: true, used: 3 });
      await days.giveBack(running);
      expect(await days.take(slotOf(organization), 3)).toEqual({ isAllowed: true, used: 3 });
    });
  });
}
