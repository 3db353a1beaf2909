import { readText } from '../../search-text';

/** Named as the interface names them. */
export const AUDIT_FILTERS = ['search', 'actor', 'action', 'target', 'target_kind', 'start', 'end'] as const;
export type AuditFilterName = (typeof AUDIT_FILTERS)[number];

export type AuditFilter = { readonly [Name in AuditFilterName]?: string };
export type AuditSearch = AuditFilter & {
  /** The entry that is open. */
  readonly entry?: string;
};

const DAY = /^\d{4}-\d\d-\d\d$/;
const SEQUENCE = /^\d{1,18}$/;

/** What the address says; what it cannot mean is left out. Days are days in UTC. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const read = AUDIT_FILTERS.map((name) => [name, readText(search[name])?.slice(0, 200)] as const);
  const kept = read.filter(([name, text]) => text !== undefined && (!isDay(name) || isRealDay(text)));
  const entry = readText(search['entry']);
  return { ...Object.fromEntries(kept), ...(entry !== undefined && SEQUENCE.test(entry) ? { entry } : {}) };
}

function isDay(name: AuditFilterName): boolean {
  return name === 'start' || name === 'end';
}

function isRealDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text));
}

/** What the interface is asked: from the first moment of one day to the last of the other. */
export function toQuery({ start, end, search, ...words }: AuditFilter): AuditFilter {
  const text = search?.trim() ?? '';
  return {
    ...words,
    ...(text === '' ? {} : { search: text }),
    ...(start === undefined ? {} : { start: `${start}T00:00:00Z` }),
    ...(end === undefined ? {} : { end: new Date(Date.parse(end) + 86_400_000).toISOString() }),
  };
}

export function withFilter(search: AuditSearch, name: AuditFilterName, value: string): AuditSearch {
  const { [name]: _, ...rest } = search;
  return value === '' ? rest : { ...rest, [name]: value };
}

export function withoutEntry({ entry: _, ...filter }: AuditSearch): AuditFilter {
  return filter;
}
