import type { AmountChange, CatalogDiff, PriceChange, RowChange } from './diff-catalogs';

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const LINES_MAX = 2_000;

/** A difference for people to read: a line for each model and provider, and below it what is different. */
export function describeDiff({ models, providers }: CatalogDiff): string {
  const lines = [
    ...models.flatMap((change) => describeRow('model', change)),
    ...providers.flatMap((change) => describeRow('provider', change)),
  ];
  if (lines.length === 0) return 'Nothing is different.\n';
  const count = (rows: readonly RowChange[], kind: RowChange['kind']): number => rows.filter((row) => row.kind === kind).length;
  const all = [...models, ...providers];
  const sum = `${count(all, 'added')} added, ${count(all, 'removed')} removed, ${count(all, 'changed')} changed`;
  const shown = lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX), `… and ${lines.length - LINES_MAX} more lines`] : lines;
  return `${[...shown, '', sum].join('\n')}\n`;
}

function describeRow(what: string, { id, kind, members, prices }: RowChange): string[] {
  return [
    `${SIGNS[kind]} ${what} ${id}`,
    ...members.map(({ name, before, after }) => `    ${name}: ${show(before)} → ${show(after)}`),
    ...prices.flatMap(describePrice),
  ];
}

function describePrice({ version, validFrom, kind, amounts }: PriceChange): string[] {
  if (kind === 'withdrawn') return [`    - price ${version} (from ${validFrom})`];
  return [`    + price ${version}, in force from ${validFrom} UTC`, ...amounts.map((amount) => `        ${describeAmount(amount)}`)];
}

export function describeAmount({ name, before, after, percent }: AmountChange): string {
  if (before === null) return `${name}: ${after ?? 'none'} USD`;
  const change = percent === null ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`;
  return `${name}: ${before} → ${after ?? 'none'} USD${change}`;
}

function show(value: unknown): string {
  const text = value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
