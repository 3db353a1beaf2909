import { z } from 'zod';

type TargetField = (typeof TARGET_FIELDS)[number];
const TARGET_FIELDS = ['api_key_id', 'group_id', 'member_id', 'limit_id'] as const;

/** Which fields say what is watched: those that have to be there, and those that may. */
const TARGETS: Readonly<Record<AlertScope, { readonly needs: readonly TargetField[]; readonly may?: readonly TargetField[] }>> = {
  key: { needs: ['api_key_id'] },
  group: { needs: ['group_id'] },
  member: { needs: ['group_id', 'member_id'] },
  balance: { needs: [] },
  limit: { needs: ['limit_id'] },
  anomaly: { needs: [], may: ['api_key_id'] },
};

export const ALERT_SCOPES = ['key', 'member', 'group', 'balance', 'limit', 'anomaly'] as const;
export const ALERT_CHANNELS = ['webhook', 'slack', 'email'] as const;
type AlertScope = (typeof ALERT_SCOPES)[number];

/** Compared as text with the ids of usage, which Postgres writes small. */
const id = z.uuid().toLowerCase();
const USD_MAX = 1e9;

/** What may be changed later. */
const changeable = {
  percentage: z.number().positive().max(1000).multipleOf(0.001).optional(),
  amount: z.number().min(0).max(1e15).optional(),
  min_amount: z.number().min(0).max(USD_MAX).optional(),
  sensitivity: z.enum(['low', 'medium', 'high']).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  to: z.array(z.email().max(254)).min(1).max(10).optional(),
  repeat_hours: z.int().min(1).max(720).nullable().optional(),
  notify_recovery: z.boolean().optional(),
};

type Refuse = (field: string, message: string) => void;

/**
 * Body of `POST /v1/manage/alert`. Either `percentage` (of the limit; for a balance, of the last credit) or `amount` (in USD; of
 * a limit in its unit): spending at or above it, a balance at or below it. An anomaly has neither, but `min_amount`.
 */
export const createAlertBody = z
  .strictObject({
    scope: z.enum(ALERT_SCOPES),
    api_key_id: id.optional(),
    group_id: id.optional(),
    member_id: id.optional(),
    limit_id: id.optional(),
    ...changeable,
    /** Of an anomaly. */
    measure: z.enum(['usd', 'requests']).optional(),
    channel: z.enum(ALERT_CHANNELS).default('webhook'),
  })
  .superRefine((body, context) => {
    const refuse: Refuse = (field, message) => context.addIssue({ code: 'custom', path: [field], message });
    checkTarget(body, refuse);
    checkThreshold(body, refuse);
    checkChannel(body, refuse);
  });

function checkTarget(body: { readonly scope: AlertScope } & Partial<Record<TargetField, string | undefined>>, refuse: Refuse): void {
  const { needs, may = [] } = TARGETS[body.scope];
  for (const field of TARGET_FIELDS) {
    const isGiven = body[field] !== undefined;
    if (isGiven && !needs.includes(field) && !may.includes(field)) refuse(field, `is not for the scope "${body.scope}"`);
    if (!isGiven && needs.includes(field)) refuse(field, `is needed for the scope "${body.scope}"`);
  }
}

type Threshold = {
  readonly scope: AlertScope;
  readonly percentage?: number | undefined;
  readonly amount?: number | undefined;
  readonly min_amount?: number | undefined;
  readonly sensitivity?: string | undefined;
  readonly measure?: string | undefined;
};

function checkThreshold(body: Threshold, refuse: Refuse): void {
  const isAnomaly = body.scope === 'anomaly';
  for (const field of ['percentage', 'amount'] as const)
    if (isAnomaly && body[field] !== undefined) refuse(field, 'is not for the scope "anomaly"');
  for (const field of ['measure', 'sensitivity', 'min_amount'] as const) {
    if (!isAnomaly && body[field] !== undefined) refuse(field, `is not for the scope "${body.scope}"`);
  }
  if (!isAnomaly && (body.percentage === undefined) === (body.amount === undefined))
    refuse('percentage', 'give either `percentage` or `amount`');
  if (body.scope !== 'limit' && (body.amount ?? 0) > USD_MAX) refuse('amount', `must be at most ${USD_MAX}`);
}

type Channel = {
  readonly channel: (typeof ALERT_CHANNELS)[number];
  readonly url?: string | undefined;
  readonly to?: readonly string[] | undefined;
};

function checkChannel({ channel, url, to }: Channel, refuse: Refuse): void {
  const isEmail = channel === 'email';
  if (isEmail !== (to !== undefined)) refuse('to', isEmail ? 'is needed for the channel "email"' : `is not for the channel "${channel}"`);
  if (isEmail === (url !== undefined)) refuse('url', isEmail ? 'is not for the channel "email"' : `is needed for the channel "${channel}"`);
}

/** Body of `PATCH /v1/manage/alert/{id}`: what it watches and its channel stay. `percentage` takes the place of `amount`, and the other way round. */
export const updateAlertBody = z.strictObject(changeable).superRefine((body, context) => {
  if (body.percentage !== undefined && body.amount !== undefined) {
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
export type UpdateAlertBody = z.infer<typeof updateAlertBody>;
