import { rebuildDay, rebuildHour, rebuildMonth, type Database } from '@weir/database';
import { periodStart, type Resolution } from '@weir/usage';
import { UsageError, type Command } from './command';

const REBUILD = { hour: rebuildHour, day: rebuildDay, month: rebuildMonth } as const;

export const rebuildUsage: Command = {
  words: 'usage rebuild',
  summary:
    'Builds an hour of an organization\u2019s usage anew from its events, a day from its hours or a month from its days, and what is above it.',
  options: [
    { name: 'organization', value: 'ID', meaning: 'whose usage', isRequired: true },
    { name: 'resolution', value: 'R', meaning: 'hour, day or month', isRequired: true },
    { name: 'period', value: 'TIME', meaning: 'any time in it, RFC 3339', isRequired: true },
  ],
  run: async ({ options }, { open }) => {
    const resolution = readResolution(options['resolution'] ?? '');
    const atMs = Date.parse(options['period'] ?? '');
    if (Number.isNaN(atMs)) throw new UsageError('--period takes a time such as 2026-08-07T12:00:00Z.');
    const { database } = await open();
    const organizationId = await findOrganization(database, options['organization'] ?? '');
    const period = { organizationId, periodStartMs: periodStart(resolution, atMs) };
    await REBUILD[resolution]({ pool: database.pool, ...period });
    return { organization_id: period.organizationId, resolution, rebuilt: new Date(period.periodStartMs).toISOString() };
  },
};

/** Compared as text, because what is no id cannot be asked for as one. */
async function findOrganization({ pool }: Database, text: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM organization WHERE id::text = lower($1)', [text]);
  if (rows[0] === undefined) throw new Error(`There is no organization "${text.slice(0, 100)}".`);
  return rows[0].id;
}

function readResolution(text: string): Resolution {
  if (text === 'hour' || text === 'day' || text === 'month') return text;
  throw new UsageError(`--resolution is hour, day or month, not "${text}".`);
}
