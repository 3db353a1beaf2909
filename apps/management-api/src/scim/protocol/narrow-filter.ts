import type { AttributePlace, Filter } from './filter';

/** An attribute, or a part of it, that has to be a text: `userName`, `emails.value`. */
export type Equality = { readonly name: string; readonly value: string };

/** What must be so for a filter to hold, and can be looked for; more may have to be. */
export function narrowFilter(filter: Filter): Equality[] {
  if (filter.kind === 'and') return [...narrowFilter(filter.left), ...narrowFilter(filter.right)];
  if (filter.kind === 'some') {
    const { name } = filter.place.attribute;
    return filter.place.extension === undefined ? narrowFilter(filter.inner).map((one) => ({ ...one, name: `${name}.${one.name}` })) : [];
  }
  if (filter.kind !== 'compare' || filter.comparison !== 'eq' || typeof filter.value !== 'string') return [];
  const name = nameOf(filter.place);
  return name === undefined ? [] : [{ name, value: filter.value }];
}

function nameOf({ extension, attribute, part }: AttributePlace): string | undefined {
  if (extension !== undefined) return undefined;
  return part === undefined ? attribute.name : `${attribute.name}.${part.name}`;
}
