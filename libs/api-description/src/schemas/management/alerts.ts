import { ALERT_CHANNELS, ALERT_SCOPES } from '@weir/contracts';
import { z } from 'zod';
import { decimal } from '../gateway/organization';
import { nameReply } from '../named-schemas';
import { listOf } from './replies';

const instant = z.iso.datetime();

const alert = nameReply(
  'Alert',
  z.object({
    id: z.uuid(),
    scope: z.enum(ALERT_SCOPES),
    api_key_id: z.uuid().optional(),
    group_id: z.uuid().optional(),
    member_id: z.uuid().optional(),
    limit_id: z.uuid().optional(),
    percentage: z.number().nullable(),
    amount: decimal.nullable().describe('In USD; of a limit in its unit.'),
    measure: z.enum(['usd', 'requests']).optional().describe('Of an anomaly, as the two that follow.'),
    sensitivity: z.enum(['low', 'medium', 'high']).optional(),
    min_amount: decimal.nullable().optional().describe('Hours below it are never unusual: USD, or requests.'),
    channel: z.enum(ALERT_CHANNELS),
    target: z.string().describe('Where it reports to; of an address that is a secret, only the host.'),
    url: z.string().nullable().describe('Of a webhook.'),
    to: z.array(z.string()).optional().describe('Of e-mail.'),
    repeat_hours: z.int().nullable().describe('Null: once a period.'),
    notify_recovery: z.boolean(),
    created_at: instant,
  }),
);
export const alerts = listOf('Alerts', 'alerts', alert);
export const alertReply = nameReply('AlertReply', z.object({ alert }));
const alertDelivery = nameReply(
  'AlertDelivery',
  z.object({
    id: z.uuid().describe('As `x-weir-delivery` of its calls.'),
    kind: z.enum(['crossed', 'recovered', 'test']),
    period: z
      .string()
      .describe('What it is once for: the UTC month, the credit of a balance, the window of a limit, the day and key of an anomaly.'),
    repetition: z.int().describe('0 for the first of a period.'),
    value: decimal.describe('What was spent, used, or left.'),
    threshold: decimal,
    unit: z.enum(['USD', 'requests', 'tokens']),
    status: z.enum(['pending', 'delivered', 'dead']).describe('`dead`: given up after the last attempt.'),
    attempts: z.int(),
    last_result: z.string().nullable().describe('The status of the receiver, or what went wrong.'),
    fired_at: instant,
    next_attempt_at: instant.nullable(),
    delivered_at: instant.nullable(),
  }),
);
export const alertDeliveries = nameReply(
  'AlertDeliveries',
  z.object({ deliveries: z.array(alertDelivery), next: z.uuid().nullable().describe('The `cursor` of the following page.') }),
);
const refusal = nameReply(
  'Refusal',
  z.object({
    id: z.uuid(),
    request_id: z.string(),
    refused_at: z.iso.datetime(),
    api_key: z.object({ id: z.uuid(), name: z.string().nullable() }),
    endpoint: z.string(),
    model: z.string().nullable().describe('As it was asked for; null where it was refused before that was read.'),
    status: z.int(),
    code: z.string(),
    message: z.string(),
    limit: z
      .object({
        id: z.string().nullable(),
        name: z.string(),
        scope: z.string(),
        measure: z.string(),
        window: z.string().nullable(),
        limit: z.string(),
        used: z.string(),
        remaining: z.string(),
        asked: z.string().nullable(),
        frees_at: z.string().nullable(),
      })
      .nullable()
      .describe('The limit that it did not fit, as the error of the request has it.'),
  }),
);
export const refusals = nameReply(
  'Refusals',
  z.object({ refusals: z.array(refusal), next: z.uuid().nullable().describe('The `cursor` of the following page.') }),
);
export const alertTest = nameReply('AlertTest', z.object({ delivery: alertDelivery }));
export const createdAlert = nameReply(
  'CreatedAlert',
  z.object({ id: z.uuid(), secret: z.string().optional().describe('Of a webhook: deliveries are signed with it; shown this once.') }),
);
