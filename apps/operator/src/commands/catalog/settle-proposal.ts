import {
  acceptCatalogProposal,
  dismissCatalogProposal,
  findCatalogProposal,
  listCatalogProposals,
  type CatalogProposalRow,
} from '@weir/database';
import { acceptChanges, isEmptyDiff, planVersion, proposedChange, type ProposedChange } from '@weir/model-catalog';
import { UsageError, type Command, type OpenDeployment } from '../command';
import { describeProposal, summarize } from './describe-proposal';
import { openCatalog } from '../open-catalog';
import { describeChange, notify, NOTE, YES } from './put-in-force';

const ID = { value: 'ID', meaning: 'as "catalog proposals" lists it' };
const BEGINNING = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/;
const SECOND = 19;

export const listProposals: Command = {
  words: 'catalog proposals',
  summary: 'Lists what waits to be accepted or dismissed, the oldest first; with an id, what one says of each model.',
  argument: { ...ID, isOptional: true },
  options: [],
  run: async ({ argument }, { open }) => {
    const deployment = await open();
    if (argument !== undefined) {
      const { id, source, changes } = await findWaiting(deployment, argument);
      return { proposal: id, source, ...summarize(changes), changes };
    }
    const rows = await listCatalogProposals(deployment.database.pool);
    return {
      proposals: rows.map(({ id, createdAt, actor, source, format, changes }) => ({
        ...{ id, created_at: createdAt.toISOString(), actor, source, format },
        ...summarize(changes.map((change) => proposedChange.parse(change))),
      })),
    };
  },
  describe: (result) => ('proposals' in result ? `${JSON.stringify(result, null, 2)}\n` : describeProposal(result)),
};

export const acceptProposal: Command = {
  words: 'catalog accept',
  summary: 'Makes a version of the catalogue of a proposal, or of some of its models, after showing what would be different.',
  argument: ID,
  options: [
    {
      name: 'only',
      value: 'MODEL',
      meaning: 'this model; may be given several times. Absent: all that can be, without missing models',
      isRepeatable: true,
    },
    { name: 'from', value: 'DATE', meaning: 'when new prices begin, UTC: 2026-12-01 or 2026-12-01T06:00:00Z; now by default' },
    { name: 'despite-implausible', meaning: 'also prices that change by a factor of ten or more' },
    NOTE,
    YES,
  ],
  run: async ({ argument, options, lists, flags }, { open }) => {
    const validFrom = options['from'] ?? `${new Date().toISOString().slice(0, SECOND)}Z`;
    if (!BEGINNING.test(validFrom) || Number.isNaN(Date.parse(validFrom)))
      throw new UsageError('--from is a day or a moment in UTC, to the second.');
    const deployment = await open();
    const { id, source, changes } = await findWaiting(deployment, argument);
    const catalog = await openCatalog(deployment);
    const acceptance = { only: lists['only'], takesImplausible: flags.has('despite-implausible'), validFrom, version: validFrom };
    const document = acceptChanges(changes, catalog, acceptance);
    const planned = planVersion({ catalog, document, nowMs: Date.now() });
    if (!flags.has('yes') || isEmptyDiff(planned.diff)) return { applied: false, version: null, diff: planned.diff };
    const note = options['note'] ?? `proposal ${id}: ${source}`;
    const version = await acceptCatalogProposal(deployment.database.pool, id, { ...planned, actor: deployment.operator, note });
    await notify(deployment);
    return { applied: true, version, diff: planned.diff };
  },
  describe: describeChange,
};

export const dismissProposal: Command = {
  words: 'catalog dismiss',
  summary: 'Sets a proposal aside for good; it changes nothing.',
  argument: ID,
  options: [],
  run: async ({ argument }, { open }) => {
    const { database, operator } = await open();
    const id = readId(argument);
    if (!(await dismissCatalogProposal(database.pool, id, operator))) throw new Error(`No proposal ${id} waits.`);
    return { dismissed: id };
  },
};

type Waiting = Omit<CatalogProposalRow, 'changes'> & { readonly changes: readonly ProposedChange[] };

async function findWaiting({ database }: OpenDeployment, argument: string | undefined): Promise<Waiting> {
  const id = readId(argument);
  const found = await findCatalogProposal(database.pool, id);
  if (found === undefined || found.outcome !== null) throw new Error(`No proposal ${id} waits.`);
  return { ...found, changes: found.changes.map((change) => proposedChange.parse(change)) };
}

function readId(argument: string | undefined): number {
  if (argument === undefined || !/^\d{1,9}$/.test(argument))
    throw new UsageError('Name a proposal by its number. See weir catalog proposals.');
  return Number(argument);
}
