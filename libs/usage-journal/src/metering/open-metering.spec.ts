import { NO_USAGE } from '@weir/canonical';
import type { Passport, PriceSheet } from '@weir/contracts';
import { createMemoryHoldStore } from '@weir/limits';
import type { Logger } from '@weir/telemetry';
import { createMemoryWatermarkStore } from '@weir/usage';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMetering } from './open-metering';

/** A price sheet without a tier: nothing can be priced by it. */
const BROKEN = { kind: 'chat', version: 'v', tiers: [] } as unknown as PriceSheet;

function makePassport(prices: PriceSheet): Passport {
  const attempt = { modelId: 'm', providerId: 'p', upstreamModel: 'm', region: null, prices, isByok: false, isFree: false };
  const caller = { organizationId: 'o', apiKeyId: 'k', userId: 'u', groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null };
  return {
    requestId: 'r',
    endpointId: 'chat-completions',
    admittedAtMs: 1,
    caller,
    hold: null,
    attempts: [attempt],
  } as unknown as Passport;
}

describe('the metering of a worker', () => {
  it('tells its log of usage that cannot be, and of what could not be priced', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'weir-metering-'));
    const errors: string[] = [];
    const told = (_fields: object, message: string): void => void errors.push(message);
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: told, fatal: told } as unknown as Logger;
    const metering = openMetering({
      ...{ directory, durability: 'process', bytesMax: 1_000_000, segmentBytesMax: 100_000, resendAfterMs: 60_000 },
      publish: () => Promise.resolve(),
      watermarks: createMemoryWatermarkStore(),
      log,
      onLost: () => undefined,
      onFailure: () => undefined,
      holds: { store: createMemoryHoldStore({ now: Date.now }), ttlMs: 60_000 },
    });
    try {
      metering.till.openAttempt(makePassport(BROKEN), 0, 1).close({
        usage: { ...NO_USAGE, inputUncached: 5 },
        doubted: { usage: { ...NO_USAGE, inputUncached: 2 ** 40 } },
        ...{ status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true },
      });
      expect(errors).toEqual([expect.stringContaining('more usage than the request explains'), 'usage could not be priced']);
    } finally {
      await metering.close();
      await rm(directory, { recursive: true, force: true });
    }
  });
});
