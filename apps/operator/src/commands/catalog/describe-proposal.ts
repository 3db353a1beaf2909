import { describeAmount, type ProposedChange } from '@weir/model-catalog';

export type ProposalSummary = {
  readonly new_models: number;
  readonly without_price: number;
  readonly changed_prices: number;
  readonly implausible: number;
  readonly changed_facts: number;
  readonly missing: number;
};

export type ShownProposal = ProposalSummary & {
  /** Null: nothing is different, and nothing was kept. */
  readonly proposal: number | null;
  readonly source: string;
  readonly changes: readonly ProposedChange[];
};

export function summarize(changes: readonly ProposedChange[]): ProposalSummary {
  const count = (is: (change: ProposedChange) => boolean): number => changes.filter(is).length;
  return {
    new_models: count((change) => change.kind === 'new' && change.row !== null),
    without_price: count((change) => change.kind === 'new' && change.row === null),
    changed_prices: count(({ kind }) => kind === 'price'),
    implausible: count((change) => 'isImplausible' in change && change.isImplausible),
    changed_facts: count(({ kind }) => kind === 'facts'),
    missing: count(({ kind }) => kind === 'missing'),
  };
}

const WORDS = { new: '+', price: '~', facts: '~', missing: '-' } as const;

export function describeProposal(result: object): string {
  const { proposal, source, changes } = result as ShownProposal;
  if (changes.length === 0) return `Nothing is different in ${source}.\n`;
  const lines = changes.flatMap(describeChange);
  const counts = Object.entries(summarize(changes)).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`);
  const end = proposal === null ? '' : `Proposal ${proposal}: weir catalog accept ${proposal} [--only MODEL …] makes it a version.\n`;
  return `${[...lines, '', counts.join(', ')].join('\n')}\n${end}`;
}

function describeChange(change: ProposedChange): string[] {
  const start = `${WORDS[change.kind]} ${change.model}`;
  if (change.kind === 'missing') return [`${start}: not in the list; accepted only by --only`];
  if (change.kind === 'facts') return [start, ...Object.entries(change.facts).map(([name, value]) => `    ${name}: ${value}`)];
  if (change.kind === 'new' && change.row === null) return [`${start}: without a price in the list`];
  const mark = change.isImplausible ? ' (implausible: a factor of ten or more)' : '';
  return [`${start}${mark}`, ...change.amounts.map((amount) => `    ${describeAmount(amount)}`)];
}
