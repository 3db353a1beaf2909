import type { Schemas } from '../../api';

export type Entry = Schemas['AuditPage']['audit'][number];

type Difference = {
  /** `labels.team`. */
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** "create-api-key" as people say it. */
export function describeAction(action: string): string {
  const words = action.replaceAll('-', ' ').replace(/\bapi\b/g, 'API');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** What the changed thing was called then. */
export function nameTarget({ before, after, target }: Pick<Entry, 'before' | 'after' | 'target'>): string {
  for (const state of [after, before]) {
    const record = asRecord(state);
    for (const member of ['name', 'email', 'user_email']) {
      const value = record?.[member];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return target.id ?? '';
}

/** Field by field what was there before and after, in the order they were in; what is the same is not a difference. */
export function findDifferences({ before, after }: Pick<Entry, 'before' | 'after'>): Difference[] {
  const [old, now] = [flatten(before), flatten(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((field) => ({ field, before: old.get(field), after: now.get(field) }))
    .filter((difference) => difference.before !== difference.after);
}

export function countSame({ before, after }: Pick<Entry, 'before' | 'after'>): number {
  const [old, now] = [flatten(before), flatten(after)];
  return [...old].filter(([field, value]) => now.get(field) === value).length;
}

const SHOWN = 3;

/** The names of what changed, for a line of the list. */
export function summarize(entry: Pick<Entry, 'before' | 'after'>): string {
  if (entry.before === null || entry.after === null) return '';
  const fields = findDifferences(entry).map(({ field }) => field);
  const more = fields.length - SHOWN;
  return `${fields.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Lists of plain values stand in one line; records and lists of records are looked into. */
function flatten(value: unknown, path = ''): Map<string, string> {
  const fields = new Map<string, string>();
  if (isPlain(value) || (Array.isArray(value) && value.every(isPlain))) {
    if (path !== '') fields.set(path, writeValue(value));
    return fields;
  }
  for (const [name, inner] of Object.entries(value as object)) {
    const field = path === '' ? name : `${path}.${name}`;
    for (const [at, text] of flatten(inner, field)) fields.set(at, text);
  }
  return fields;
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function writeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.map(writeValue).join(', ');
  if (value === null || value === undefined || value === '') return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}
