import { checkSchemas } from './read-resource';
import { refuseValue } from './refusals';
import type { Selection } from './select-attributes';

export type ListQuery = Selection & {
  readonly filter: string | undefined;
  /** The first is 1. */
  readonly startIndex: number;
  readonly count: number;
};

type Query = Readonly<Record<string, unknown>>;

const SEARCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
export const COUNT_MAX = 200;
const COUNT = 100;
/** Of attributes that are asked for or left out: more than a resource has. */
const NAMES_MAX = 200;
const INDEX_MAX = 1_000_000_000;
const NUMBERS = new Set(['count', 'startindex']);

/** Parameters of a list. Others are left alone: some directories add flags of their own to every address. */
export function readListQuery(query: Query): ListQuery {
  const count = readNumber(query, 'count') ?? COUNT;
  return {
    ...readSelection(query),
    filter: readText(query, 'filter'),
    // What is below counts as the least there is (RFC 7644, 3.4.2.4).
    startIndex: Math.max(readNumber(query, 'startIndex') ?? 1, 1),
    count: Math.min(Math.max(count, 0), COUNT_MAX),
  };
}

/** The same in a body (RFC 7644, 3.4.3), where numbers are numbers and names a list of texts. */
export function readSearch(body: Query): ListQuery {
  checkSchemas(body, SEARCH_SCHEMA);
  const asQuery = Object.entries(body).map(([name, value]) => {
    if (typeof value === 'number' && NUMBERS.has(name.toLowerCase())) return [name, String(value)] as const;
    const isNames = Array.isArray(value) && value.every((one) => typeof one === 'string');
    return [name, isNames ? value.join(',') : value] as const;
  });
  return readListQuery(Object.fromEntries(asQuery));
}

/** `attributes` and `excludedAttributes`, which every operation takes. */
export function readSelection(query: Query): Selection {
  return { attributes: readNames(query, 'attributes'), excluded: readNames(query, 'excludedAttributes') };
}

function readNames(query: Query, name: string): string[] {
  const names = (readText(query, name) ?? '').split(',').filter((one) => one.trim() !== '');
  if (names.length > NAMES_MAX) throw refuseValue(name, `may have ${NAMES_MAX} names at most`);
  return names;
}

function readNumber(query: Query, name: string): number | undefined {
  const text = readText(query, name);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text)) throw refuseValue(name, 'must be a whole number');
  return Math.min(Number(text), INDEX_MAX);
}

function readText(query: Query, name: string): string | undefined {
  const [, value] = Object.entries(query).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw refuseValue(name, 'must come once, as text');
  return value;
}
