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

function readPico(value: number, field: string): bigint {
  try {
    return usdNumberToPico(value);
  } catch (error) {
    throw new GatewayError('invalid_request', `\`${field}\` must be an amount in USD with at most twelve decimal places.`, {
      field,
      cause: error,
    });
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
