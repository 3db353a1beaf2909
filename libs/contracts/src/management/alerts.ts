import { z } from 'zod';

const TARGETS = {
  key: ['api_key_id'],
  group: ['group_id'],
  member: ['group_id', 'member_id'],
  balance: [],
} as const satisfies Record<string, readonly ('api_key_id' | 'group_id' | 'member_id')[]>;
const TARGET_FIELDS = ['api_key_id', 'group_id', 'member_id'] as const;

/** Compared as text with the ids of usage, which Postgres writes small. */
const id = z.uuid().toLowerCase();

/**
 * Body of `POST /v1/manage/alert`. Either `percentage` (of the monthly limit; for a balance, of the last credit) or
 * `amount` in USD: spending at or above it, a balance at or below it.
 */
export const createAlertBody = z
  .strictObject({
    scope: z.enum(['key', 'member', 'group', 'balance']),
    api_key_id: id.optional(),
    group_id: id.optional(),
    member_id: id.optional(),
    percentage: z.number().positive().max(1000).multipleOf(0.001).optional(),
    amount: z.number().min(0).max(1e9).optional(),
    url: z.url({ protocol: /^https?$/ }).max(2000),
  })
  .superRefine((body, context) => {
    const wanted: readonly string[] = TARGETS[body.scope];
    for (const field of TARGET_FIELDS) {
      const isGiven = body[field] !== undefined;
      if (isGiven === wanted.includes(field)) continue;
      const message = isGiven ? `is not for the scope "${body.scope}"` : `is needed for the scope "${body.scope}"`;
      context.addIssue({ code: 'custom', path: [field], message });
    }
    if ((body.percentage === undefined) === (body.amount === undefined)) {
      context.addIssue({ code: 'custom', path: ['percentage'], message: 'give either `percentage` or `amount`' });
    }
  });

/** Query of `GET /v1/manage/alert/{id}/delivery`: newest first, a page at a time. */
export const alertDeliveryParameters = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** What the page before returned as `next`. */
  cursor: id.optional(),
});

export type CreateAlertBody = z.infer<typeof createAlertBody>;
