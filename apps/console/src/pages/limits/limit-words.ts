import { LIMIT_MEASURES } from '@weir/contracts';
import { findRows } from '../../find-words';
import { formatMoney, formatMoneyExactly, parseMoney } from '../../format/money';
import { formatCount } from '../../format/numbers';
import type { Action, Limit, LimitFill, Measure, Modality, Scope, Window } from './limits-queries';

/** Names of what limits are about, by their ids. */
export type Names = {
  readonly keys: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
  readonly members: ReadonlyMap<string, string>;
};

type Words<Name extends string> = Readonly<Record<Name, string>>;

export const SCOPE_WORDS: Words<Scope> = {
  organization: 'The organization',
  group: 'Groups',
  member: 'Members',
  key: 'Keys',
  end_user: 'End users',
  api_key_label: 'Keys with a label',
  group_label: 'Groups with a label',
};

export const MEASURE_WORDS: Words<Measure> = {
  usd: 'USD',
  requests: 'Requests',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  tokens: 'Tokens, in and out',
  concurrent_requests: 'Requests at one time',
  concurrent_streams: 'Streams at one time',
};

/** As they stand after an amount. */
const UNIT_WORDS: Words<Exclude<Measure, 'usd'>> = {
  requests: 'requests',
  input_tokens: 'input tokens',
  output_tokens: 'output tokens',
  tokens: 'tokens',
  concurrent_requests: 'requests at one time',
  concurrent_streams: 'streams at one time',
};

export const WINDOW_WORDS: Words<Window> = {
  minute: 'a minute',
  hour: 'an hour',
  day: 'a day',
  week: 'a week',
  month: 'a month',
  '24h': 'in 24 hours',
  '30d': 'in 30 days',
  total: 'in total',
};

export const ACTION_WORDS: Words<Action> = { refuse: 'refuses', fallback: 'cheaper model', alert: 'only counts' };

export const MODALITY_WORDS: Words<Modality> = {
  chat: 'chat',
  embedding: 'embeddings',
  image: 'images',
  speech: 'speech',
  transcription: 'transcription',
};

export function isConcurrent(measure: Measure): boolean {
  return LIMIT_MEASURES.some(({ name, isConcurrent: is }) => is && name === measure);
}

/** An amount in the unit of its measure, short enough to read, and with every digit. */
export function writeFigure(measure: Measure, amount: string): { readonly shown: string; readonly exact: string } {
  if (measure === 'usd') return { shown: formatMoney(parseMoney(amount)), exact: formatMoneyExactly(parseMoney(amount)) };
  const count = formatCount(Number(amount));
  return { shown: count, exact: count };
}

/** `requests a day`: what follows the figure. */
export function writeMeasure({ measure, window }: Pick<Limit, 'measure' | 'window'>): string {
  const unit = measure === 'usd' ? '' : UNIT_WORDS[measure];
  return [unit, window === undefined ? '' : WINDOW_WORDS[window]].filter((word) => word !== '').join(' ');
}

type Target = Pick<Limit, 'scope' | 'group_id' | 'member_id' | 'api_key_id' | 'end_user' | 'label' | 'value'>;

const EACH: Words<'group' | 'member' | 'key' | 'end_user'> = {
  group: 'Each group',
  member: 'Each member',
  key: 'Each key',
  end_user: 'Each end user',
};

/** Whom a limit is about: `Key “crawler”`, `Each member`, `Keys with team=research`. */
export function writeTarget(limit: Target, names: Names): string {
  const { scope, group_id: group, member_id: member, api_key_id: key, end_user: user } = limit;
  if (scope === 'organization') return 'The organization';
  if (scope === 'api_key_label' || scope === 'group_label') return writeLabelTarget(limit);
  if (group !== undefined) return `Group “${nameOf(names.groups, group)}”`;
  if (member !== undefined) return `Member ${nameOf(names.members, member)}`;
  if (key !== undefined) return `Key “${nameOf(names.keys, key)}”`;
  return user === undefined ? EACH[scope] : `End user “${user}”`;
}

function writeLabelTarget({ scope, label = '', value }: Target): string {
  const things = scope === 'api_key_label' ? 'Keys' : 'Groups';
  return value === undefined ? `${things}, by each value of ${label}` : `${things} with ${label}=${value}`;
}

function nameOf(names: ReadonlyMap<string, string>, id: string): string {
  return names.get(id) ?? `${id.slice(0, 8)}…`;
}

/** What alone is counted; empty where everything is. */
export function writeFilters({ models = [], providers = [], modalities = [] }: Pick<Limit, 'models' | 'providers' | 'modalities'>): string {
  return [
    models.join(', '),
    providers.length === 0 ? '' : `providers ${providers.join(', ')}`,
    modalities.map((modality) => MODALITY_WORDS[modality]).join(', '),
  ]
    .filter((words) => words !== '')
    .join(' · ');
}

/** Of whom a figure is, where a limit holds for each apart. End users are kept as digests alone. */
export function writePartition(of: LimitFill['of'], names: Names): string | undefined {
  if (of === null) return undefined;
  if (of.name !== null) return of.name;
  const id = of.id ?? '';
  return names.keys.get(id) ?? names.groups.get(id) ?? names.members.get(id) ?? `${id.slice(0, 8)}…`;
}

/** The fullest of a limit now; undefined where nothing was counted. */
export function findFullest({ usage = [] }: Pick<Limit, 'usage'>): LimitFill | undefined {
  return usage.reduce<LimitFill | undefined>((most, one) => (most === undefined || one.share > most.share ? one : most), undefined);
}

const NEARLY_FULL = 0.8;

export function gradeShare(share: number): 'normal' | 'warn' | 'bad' {
  return share >= 1 ? 'bad' : share >= NEARLY_FULL ? 'warn' : 'normal';
}

/** Those whose name, target or filters have the words, of a scope and a measure where they are given. */
export function filterLimits(
  limits: readonly Limit[],
  { search, scope, measure }: { readonly search?: string; readonly scope?: Scope; readonly measure?: Measure },
  names: Names,
): Limit[] {
  const fitting = limits.filter(
    (limit) => (scope === undefined || limit.scope === scope) && (measure === undefined || limit.measure === measure),
  );
  return findRows(fitting, search, (limit) => ({ id: limit.id, texts: [limit.name, writeTarget(limit, names), writeFilters(limit)] }));
}
