import type { Prisma } from '@weir/database';
import { limitToText } from './usd';

/** Automatic top-ups as callers and the audit log see them; off for an organization that never said anything. */
export function describeAutoTopUp(row: Prisma.AutoTopUpGetPayload<object> | null): Prisma.InputJsonObject {
  if (row === null) return { enabled: false, threshold: null, amount: null, monthly_cap: null };
  return {
    enabled: row.isEnabled,
    threshold: limitToText(row.thresholdPico),
    amount: limitToText(row.amountPico),
    monthly_cap: limitToText(row.monthlyCapPico),
  };
}
