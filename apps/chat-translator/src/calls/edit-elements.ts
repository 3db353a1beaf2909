import { createOriginalBody, editBody, indexElements, type OriginalBody } from '@weir/canonical';

export type Json = Readonly<Record<string, unknown>>;

/** What becomes of one element of a list: `keep`, left out, or another text. */
export type Change = 'keep' | 'leave-out' | { readonly text: string };

/** A JSON array with some of its objects changed or left out; every other byte stays. `isEmpty`: nothing is left of it. */
export type EditedArray = { readonly text: string; readonly isChanged: boolean; readonly isEmpty: boolean };

/** Returns undefined for a text that is no array. Elements that are no objects stay. `known`: the same list, parsed. */
export function editElements(array: string, change: (element: Json, text: string) => Change, known?: unknown): EditedArray | undefined {
  const spans = indexElements(array);
  if (spans === undefined) return undefined;
  const kept: string[] = [];
  let isChanged = false;
  const elements: readonly unknown[] | undefined = Array.isArray(known) && known.length === spans.length ? known : undefined;
  for (const [index, { start, end }] of spans.entries()) {
    const text = array.slice(start, end);
    const parsed = elements === undefined ? (JSON.parse(text) as unknown) : elements[index];
    const made: Change = isRecord(parsed) ? change(parsed, text) : 'keep';
    isChanged ||= made !== 'keep';
    if (made !== 'leave-out') kept.push(made === 'keep' ? text : made.text);
  }
  return { text: isChanged ? `[${kept.join(',')}]` : array, isChanged, isEmpty: kept.length === 0 };
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects among what stands where a list should. */
export function listRecords(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((entry): entry is Json => typeof entry === 'object' && entry !== null) : [];
}

/** An object's text with members set, or removed where the value is undefined. */
export function editObject(text: string, members: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(members);
  return editBody(createOriginalBody(text) as OriginalBody, {
    set: new Map(entries.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    remove: new Set(entries.filter(([, value]) => value === undefined).map(([name]) => name)),
  });
}
