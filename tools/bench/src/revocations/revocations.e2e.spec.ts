import { describeWithRealParts } from '@weir/testing';
import { closeCalls } from './call-service';
import { measureRevocations } from './measure-revocations';
import { percentile } from './percentile';

describeWithRealParts(['postgres', 'redis'], 'revocations at four edge processes under load', () => {
  afterAll(() => closeCalls());

  it('are seen within a second while push works, and within five whatever is cut', async () => {
    const { withPushMs, withoutPushMs, load } = await measureRevocations({
      revocations: 100,
      edges: 4,
      everyMs: 150,
      phaseMs: 4_000,
      loadPerEdge: 20,
    });

    expect(withPushMs.length + withoutPushMs.length).toBe(400);
    expect(withPushMs.length).toBeGreaterThan(50);
    // A delay is seen by asking: what any plain question takes on this machine at this moment is not the revocation's.
    const askingMs = percentile(load.latenciesMs, 0.99);
    expect(percentile(withPushMs, 0.99)).toBeLessThanOrEqual(1_000 + askingMs);
    expect(percentile([...withPushMs, ...withoutPushMs], 1)).toBeLessThanOrEqual(5_000 + askingMs);
    expect(percentile(withoutPushMs, 1)).toBeGreaterThan(percentile(withPushMs, 0.5)); // it was cut indeed
    expect([load.requests > 100, load.refused]).toEqual([true, 0]);
  }, 180_000);
});
