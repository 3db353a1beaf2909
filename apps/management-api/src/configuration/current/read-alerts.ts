import type { Fields } from '@weir/configuration';
import type { Prisma } from '@weir/database';
import { openAlertSecret } from '../../records/alert-secrets';
import { describeAlert } from '../../records/alerts';
import type { FoundObject, Reading } from './found-object';
import { renameIds } from './read-rules';

type AlertRow = Prisma.AlertGetPayload<object>;

/** Alerts, which the organization has no names for. */
export async function readMoneyAlerts(reading: Reading): Promise<FoundObject[]> {
  const { tx, organizationId } = reading;
  const alerts = await tx.alert.findMany({ where: { organizationId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  const found: FoundObject[] = [];
  for (const alert of alerts) found.push({ kind: 'alert', id: alert.id, fields: await readFields(alert, reading), references: REFERENCES });
  return found;
}

const REFERENCES = { key: 'key', group: 'group', member: 'member', limit: 'limit' } as const;

/** As the document says it: amounts as numbers, and nothing that an alert of its kind does not have. */
async function readFields(alert: AlertRow, { parts, digest }: Reading): Promise<Fields> {
  const { id: _id, created_at: _at, target: _target, url, limit_id: limit, ...described } = describeAlert(alert);
  const { amount, min_amount: least, ...fields } = renameIds(described);
  return {
    ...Object.fromEntries(Object.entries(fields).filter(([field, value]) => value !== null || field === 'repeat_hours')),
    ...(limit === undefined ? {} : { limit }),
    ...(typeof amount === 'string' ? { amount: Number(amount) } : {}),
    ...(typeof least === 'string' ? { min_amount: Number(least) } : {}),
    ...(url === null ? {} : { url }),
    ...(alert.channel === 'slack' ? { url: digest(await openAlertSecret(parts, alert)) } : {}),
  };
}
