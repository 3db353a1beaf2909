import { describeWithRealParts } from '@weir/testing';
import { runFaults } from './faults/run-faults';
import { startRig, type Rig } from './rig/start-rig';
import { SCENARIOS } from './scenarios/all-scenarios';

const SEEDS = [11];

describeWithRealParts(
  ['postgres', 'redis', 'kafka'],
  'the money path, broken on purpose (T1: every process in a time zone of its own)',
  () => {
    let rig: Rig;
    /** After a failure a part may be down, and everything later would wait for it in vain. */
    let isTrusted = true;
    const inTrust = async (run: () => Promise<void>): Promise<void> => {
      expect(isTrusted).toBe(true);
      isTrusted = false;
      await run();
      isTrusted = true;
    };
    beforeAll(async () => {
      rig = await startRig();
    }, 180_000);
    afterAll(() => rig.stop(), 180_000);

    // One rig for all: every verdict is about everything that ever happened to it.
    it.each(SCENARIOS.filter(({ isLong }) => isLong !== true))(
      '$id: $title',
      ({ run }) =>
        inTrust(async () => {
          const { verdict } = await run({ rig, size: 'short', seed: 1, report: () => undefined });
          expect(verdict.violations).toEqual([]);
          expect(verdict).toMatchObject({ lost: 0, duplicated: 0 });
        }),
      600_000,
    );

    it.each(SEEDS)(
      'random faults of seed %i, which `npm run chaos -- --seeds 1 --seed` plays again',
      (seed) =>
        inTrust(async () => {
          const { violations } = await runFaults(rig, seed, { perSecond: 30 });
          expect(violations).toEqual([]);
        }),
      600_000,
    );

    it(
      'I6: nothing stays held, and every counter stands where Postgres does',
      () => inTrust(async () => expect(await rig.checkHolds()).toEqual([])),
      200_000,
    );
  },
);
