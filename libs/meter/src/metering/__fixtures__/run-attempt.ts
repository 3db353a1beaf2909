import { NO_USAGE } from '@weir/canonical';
import type { Passport, PriceSheet } from '@weir/contracts';
import type { Logger } from '@weir/telemetry';
import type { Metering } from '../open-metering';

/** A price sheet without a tier: nothing can be priced by it. */
const BROKEN = { kind: 'chat', version: 'v', tiers: [] } as unknown as PriceSheet;

const ignore = (): void => undefined;
export const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore, fatal: ignore } as unknown as Logger;

export function makePassport(): Passport {
  const attempt = { modelId: 'm', providerId: 'p', upstreamModel: 'm', region: null, prices: BROKEN, isByok: false, isFree: false };
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

/** Begins an attempt and ends it. */
export function runAttempt(metering: Metering): void {
  const ended = { status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true } as const;
  metering.meter.openAttempt(makePassport(), 0, 1).close({ usage: NO_USAGE, ...ended });
}
