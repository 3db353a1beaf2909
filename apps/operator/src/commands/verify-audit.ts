import { readMissingGuards } from '@weir/database';
import { isWhole, verifyAudit as verify } from '@weir/management-api';
import { UsageError, type Command } from './command';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HASH = /^[0-9a-f]{64}$/i;

export const verifyAudit: Command = {
  words: 'audit verify',
  summary:
    'Computes the hashes of audit logs anew: lists rows that were changed or whose neighbour was taken out, and counts rows that are gone.',
  options: [
    { name: 'organization', value: 'ID', meaning: 'whose log; all of them unless given' },
    {
      name: 'head',
      value: 'HASH',
      meaning: 'of the newest row as it was noted once, with --organization: missing where rows were taken off the end',
    },
  ],
  run: async ({ options }, { open }) => {
    const organization = options['organization'];
    if (organization !== undefined && !UUID.test(organization)) throw new UsageError('--organization takes the id of an organization.');
    const head = options['head'];
    if (head !== undefined && (organization === undefined || !HASH.test(head)))
      throw new UsageError('--head takes the 64 hexadecimal digits of a hash, and --organization whose it is.');
    const { database } = await open();
    const verdicts = await verify(database, {
      ...(organization === undefined ? {} : { organizationId: organization.toLowerCase() }),
      ...(head === undefined ? {} : { notedHead: head.toLowerCase() }),
    });
    return {
      is_whole: verdicts.every(isWhole),
      missing_guards: await readMissingGuards(database.pool),
      organizations: verdicts.map(({ organizationId, rows, missing, head, broken, hasNewestRow, hasNotedHead }) => ({
        organization_id: organizationId,
        rows,
        missing_rows: Number(missing),
        has_newest_row: hasNewestRow,
        head: { id: String(head.sequence), hash: head.hash },
        ...(hasNotedHead === undefined ? {} : { has_noted_head: hasNotedHead }),
        broken: broken.map(({ sequence, why }) => ({ id: String(sequence), why })),
      })),
    };
  },
};
