import { readMissingGuards, verifyLedger as verify } from '@weir/database';
import { UsageError, type Command } from './command';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const verifyLedger: Command = {
  words: 'ledger verify',
  summary: 'Computes the sums of ledgers anew: lists what is missing or was changed.',
  options: [{ name: 'organization', value: 'ID', meaning: 'whose ledger; all of them unless given' }],
  run: async ({ options }, { open }) => {
    const organization = options['organization'];
    if (organization !== undefined && !UUID.test(organization)) throw new UsageError('--organization takes the id of an organization.');
    const { database } = await open();
    const faults = await verify(database.pool, organization ?? null);
    return {
      is_whole: faults.length === 0,
      missing_guards: await readMissingGuards(database.pool),
      faults: faults.map(({ organizationId, what, expected, found }) => ({ organization_id: organizationId, what, expected, found })),
    };
  },
};
