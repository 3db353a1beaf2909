import type { PriceAgain, RerateCriteria, RerateResult } from '@weir/database';
import { priceAgain } from '@weir/meter';
import type { LiveCatalog } from '@weir/model-catalog';
import { formatUsd } from '@weir/pricing';
import { DAY_MS } from '@weir/usage';
import { openCatalog } from './open-catalog';
import { UsageError, type Command, type Given } from './command';

/** As of usage that arrives late: what finance may rely on. */
const RESTATABLE_DAYS = 35;
const BECAUSE_LENGTH_MAX = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const rerateUsage: Command = {
  words: 'usage rerate',
  summary:
    'Prices the usage of a span again that was charged by a wrong price: corrections beside its events, credit and debit notes. Can be repeated at any time.',
  options: [
    { name: 'model', value: 'ID', meaning: 'as usage calls it in model_used', isRequired: true },
    { name: 'provider', value: 'ID', meaning: 'only what this provider served, as usage calls it in provider_used' },
    { name: 'from', value: 'TIME', meaning: 'RFC 3339; admitted then or later', isRequired: true },
    { name: 'to', value: 'TIME', meaning: 'RFC 3339; admitted before', isRequired: true },
    { name: 'price-version', value: 'VERSION', meaning: 'the wrong price', isRequired: true },
    { name: 'to-price-version', value: 'VERSION', meaning: 'the right one', isRequired: true },
    { name: 'organization', value: 'ID', meaning: 'whose usage; of all organizations unless given' },
    { name: 'because', value: 'TEXT', meaning: 'why: shown to those who pay', isRequired: true },
    { name: 'dry-run', meaning: 'only says what would change' },
    {
      name: 'allow-debt',
      meaning: 'debit notes may take balances below zero that are paid in advance; such organizations are left otherwise',
    },
    { name: 'accept-late', meaning: `also usage of more than ${RESTATABLE_DAYS} days ago, which finance takes for settled` },
  ],
  run: async (given, { open }) => {
    const criteria = readCriteria(given);
    const because = readReason(given.options['because'] ?? '');
    const deployment = await open();
    const price = createPricing(await openCatalog(deployment), criteria);
    const { actions, isBalanceRequired } = deployment;
    const isDryRun = given.flags.has('dry-run');
    const result = await actions.rerateUsage({
      ...{ criteria, because, isDryRun, price, isBalanceRequired },
      allowsDebt: given.flags.has('allow-debt'),
    });
    return describe(result, isDryRun);
  },
};

function readCriteria({ options, flags }: Given): RerateCriteria {
  const { organization } = options;
  if (organization !== undefined && !UUID.test(organization)) throw new UsageError('--organization takes the id of an organization.');
  return {
    ...readSpan(options['from'], options['to'], flags.has('accept-late')),
    ...readVersions(options['price-version'], options['to-price-version']),
    modelUsed: options['model'] ?? '',
    providerUsed: options['provider'] ?? null,
    organizationId: organization?.toLowerCase() ?? null,
  };
}

function readSpan(from: string | undefined, to: string | undefined, acceptLate: boolean): Pick<RerateCriteria, 'fromMs' | 'toMs'> {
  const [fromMs, toMs] = [readTime(from, 'from'), readTime(to, 'to')];
  if (fromMs >= toMs) throw new UsageError('--from must be before --to.');
  if (fromMs >= Date.now() - RESTATABLE_DAYS * DAY_MS || acceptLate) return { fromMs, toMs };
  throw new UsageError(
    `--from is more than ${RESTATABLE_DAYS} days ago, which finance takes for settled: add --accept-late to restate it.`,
  );
}

function readVersions(priceVersion = '', toPriceVersion = ''): Pick<RerateCriteria, 'priceVersion' | 'toPriceVersion'> {
  if (priceVersion === toPriceVersion) throw new UsageError('--price-version and --to-price-version are the same.');
  return { priceVersion, toPriceVersion };
}

function readTime(text: string | undefined, name: string): number {
  const ms = Date.parse(text ?? '');
  if (Number.isNaN(ms)) throw new UsageError(`--${name} takes a time such as 2026-11-07T12:00:00Z.`);
  return ms;
}

function readReason(text: string): string {
  const because = text.trim();
  if (because !== '' && because.length <= BECAUSE_LENGTH_MAX) return because;
  throw new UsageError(`--because takes 1 to ${BECAUSE_LENGTH_MAX} characters.`);
}

function createPricing(catalog: LiveCatalog, { modelUsed: id, priceVersion, toPriceVersion }: RerateCriteria): PriceAgain {
  const find = (version: string) => {
    const sheet = catalog.findPriceSheet({ id }, version);
    if (sheet === undefined) throw new UsageError(`the catalogue knows no price "${version}" of the model "${id}".`);
    return sheet;
  };
  const [was, is] = [find(priceVersion), find(toPriceVersion)];
  return (event, costPico) => priceAgain(event, { costPico, was, is });
}

function describe({ rerateId, isResumed, because, organizations, left }: RerateResult, isDryRun: boolean): object {
  const add = (pick: (line: RerateResult['organizations'][number]) => bigint): string =>
    formatUsd(organizations.reduce((sum, line) => sum + pick(line), 0n));
  return {
    rerate_id: rerateId,
    is_dry_run: isDryRun,
    ...{ is_resumed: isResumed, because },
    corrected: organizations.reduce((sum, { corrected }) => sum + corrected, 0),
    left: organizations.reduce((sum, { leftOver }) => sum + leftOver, 0),
    cost_difference: add(({ costPico }) => costPico),
    billed_difference: add(({ billedPico }) => billedPico),
    organizations: organizations.map((line) => ({
      ...{ organization_id: line.organizationId, state: line.state, corrected: line.corrected, left: line.leftOver },
      ...{ cost_difference: formatUsd(line.costPico), billed_difference: formatUsd(line.billedPico) },
    })),
    left_events: left.map(({ eventId, organizationId, why }) => ({ event_id: eventId, organization_id: organizationId, why })),
  };
}
