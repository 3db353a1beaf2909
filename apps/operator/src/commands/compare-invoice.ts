import { readProviderDays, readProviderModels, type Database } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { compareInvoice, findInvoiceRange, parseInvoice, type ComparedCost, type DayCosts } from '@weir/usage';
import { readFileSync } from 'node:fs';
import { UsageError, type Command } from './command';

const EXPLAINED_MAX = 10;
const DAY_LENGTH = 10;

export const compareProviderInvoice: Command = {
  words: 'invoice compare',
  summary: 'Compares what a provider bills for the gateway\u2019s own account with what was counted, day by day.',
  argument: { value: 'FILE', meaning: 'a line a day: 2026-10-07,12.34 (UTC, USD); lines of one day add up' },
  options: [{ name: 'provider', value: 'ID', meaning: 'as usage calls it in provider_used', isRequired: true }],
  run: async ({ argument, options }, { open }) => {
    const invoiced = readInvoice(argument ?? '');
    const providerId = options['provider'] ?? '';
    const { database } = await open();
    const counted = await readProviderDays(database.pool, { providerId, ...findInvoiceRange(invoiced) });
    if (counted.size === 0) throw new Error(`Nothing was counted for the provider "${providerId.slice(0, 100)}" in these days.`);
    const { startMs, endMs, differing, ...whole } = compareInvoice(invoiced, counted);
    const explained = differing.slice(0, EXPLAINED_MAX).map(async ({ dayMs, ...day }) => ({
      day: describeDay(dayMs),
      ...describeCost(day),
      models: await describeModels(database, providerId, dayMs),
    }));
    return {
      provider: providerId,
      ...{ from: describeDay(startMs), to: describeDay(endMs - 1) },
      ...describeCost(whole),
      differing_days: differing.length,
      days: await Promise.all(explained),
    };
  },
};

function readInvoice(path: string): DayCosts {
  try {
    return parseInvoice(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function describeDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, DAY_LENGTH);
}

function describeCost({ invoicedPico, countedPico, differencePico, isWithin }: ComparedCost): object {
  return {
    invoiced: formatUsd(invoicedPico),
    counted: formatUsd(countedPico),
    difference: formatUsd(differencePico),
    is_within_tolerance: isWithin,
  };
}

async function describeModels({ pool }: Database, providerId: string, dayMs: number): Promise<object[]> {
  const models = await readProviderModels(pool, { providerId, dayMs });
  return models.map(({ modelId, attempts, countedPico, estimatedPico, unchargedPico }) => ({
    ...{ model: modelId, attempts, counted: formatUsd(countedPico) },
    ...{ estimated: formatUsd(estimatedPico), not_charged: formatUsd(unchargedPico) },
  }));
}
