import { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { formatUsd, usdNumberToPico } from '@weir/pricing';

/** A limit as it is stored: null is unlimited, and so is what callers write as 0. */
export function limitToPico(value: number | null, field: string): Prisma.Decimal | null {
  if (value === null || value === 0) return null;
  return usdToPico(value, field);
}

/** What one member may spend, as it is stored: null is what the group says, and 0 is unlimited, whatever the group says. */
export function memberLimitToPico(value: number | null, field: string): Prisma.Decimal | null {
  return value === null ? null : usdToPico(value, field);
}

/** An amount as it is stored. */
export function usdToPico(value: number, field: string): Prisma.Decimal {
  return new Prisma.Decimal(readPico(value, field).toString());
}

const PLACES = 12;
/** A few roundings of floating-point numbers, in proportion to the number. */
const NOISE = 8 * Number.EPSILON;

function readPico(value: number, field: string): bigint {
  const nearest = Number(value.toFixed(PLACES));
  // What callers get of adding amounts up, such as 0.30000000000000004, means the amount next to it.
  const isMeant = Math.abs(value - nearest) <= NOISE * Math.abs(value);
  try {
    return usdNumberToPico(isMeant ? nearest : value);
  } catch (error) {
    const message = `\`${field}\` must be an amount in USD with at most ${PLACES} decimal places, such as 0.3; round it to that.`;
    throw new GatewayError('invalid_request', message, { field, cause: error });
  }
}

/** A stored limit as callers read it: 0 is unlimited. */
export function limitToUsd(stored: Prisma.Decimal | null): number {
  return stored === null ? 0 : picoToUsd(BigInt(stored.toFixed(0)));
}

/** The nearest JSON number; exact amounts are in the usage endpoints, as text. */
export function picoToUsd(pico: bigint): number {
  return Number(formatUsd(pico));
}

/** For the audit log: exact, and null where there is no limit. */
export function limitToText(stored: Prisma.Decimal | null): string | null {
  return stored === null ? null : formatUsd(BigInt(stored.toFixed(0)));
}
