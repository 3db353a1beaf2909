import { verifyAudit as verify } from '@weir/management-api';
import { UsageError, type Command } from '../command';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const verifyAudit: Command = {
  words: 'audit verify',
  summary: 'Computes the hashes of audit logs anew and lists every row that was changed or whose neighbour was taken out.',
  options: [{ name: 'organization', value: 'ID', meaning: 'whose log; all of them unless given' }],
  run: async ({ options }, { open }) => {
    const organization = options['organization'];
    if (organization !== undefined && !UUID.test(organization)) throw new UsageError('--organization takes the id of an organization.');
    const { database } = await open();
    const verdicts = await verify(database, organization?.toLowerCase());
    return {
      is_whole: verdicts.every(({ broken }) => broken.length === 0),
      organizations: verdicts.map(({ organizationId, rows, head, broken }) => ({
        organization_id: organizationId,
        rows,
        head: { id: String(head.sequence), hash: head.hash },
        broken: broken.map(({ sequence, why }) => ({ id: String(sequence), why })),
      })),
    };
  },
};
