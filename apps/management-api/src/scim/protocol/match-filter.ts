import { findValuePart, isObject, type ScimAttribute, type ScimDocument } from './attribute';
import type { AttributePlace, Comparison, Filter, FilterValue } from './filter';

/** Whether a resource, or an element of an attribute, is as a filter says. */
export function matchesFilter(filter: Filter, document: ScimDocument): boolean {
  switch (filter.kind) {
    case 'and':
      return matchesFilter(filter.left, document) && matchesFilter(filter.right, document);
    case 'or':
      return matchesFilter(filter.left, document) || matchesFilter(filter.right, document);
    case 'not':
      return !matchesFilter(filter.inner, document);
    case 'present':
      return readElements(filter.place, document).some(isPresent);
    case 'some':
      return readElements(filter.place, document).some((element) => isObject(element) && matchesFilter(filter.inner, element));
    case 'compare':
      return compare(filter, document);
  }
}

/** What stands at a place: one value, or the elements of a list. */
function readElements({ extension, attribute, part }: AttributePlace, document: ScimDocument): unknown[] {
  const holder = extension === undefined ? document : document[extension];
  const value = isObject(holder) ? holder[attribute.name] : undefined;
  const elements = value === undefined || value === null ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
  if (part === undefined) return elements;
  return elements.map((element) => (isObject(element) ? element[part.name] : undefined)).filter((one) => one !== undefined);
}

function isPresent(value: unknown): boolean {
  if (value === '' || value === null) return false;
  return !isObject(value) || Object.keys(value).length > 0;
}

type Compared = Extract<Filter, { kind: 'compare' }>;

function compare({ place, comparison, value }: Compared, document: ScimDocument): boolean {
  const { extension, attribute: named, part } = place;
  const only = extension === undefined && part === undefined ? document[named.name] : undefined;
  // What most filters of elements come to, of which there may be thousands.
  if (typeof only === 'string' && value !== null && comparison !== 'ne') return holds(only, comparison, { value, attribute: named });
  const elements = readElements(place, document);
  if (value === null) return (comparison === 'eq') === !elements.some(isPresent);
  const compared = place.part ?? place.attribute;
  const whole = compared.type === 'complex' ? findValuePart(compared) : undefined;
  const values = elements.map((element) => (whole !== undefined && isObject(element) ? element[whole.name] : element));
  const attribute = whole ?? compared;
  if (comparison === 'ne') return !values.some((one) => holds(one, 'eq', { value, attribute }));
  return values.some((one) => holds(one, comparison, { value, attribute }));
}

type Against = { readonly value: Exclude<FilterValue, null>; readonly attribute: ScimAttribute };

function holds(found: unknown, comparison: Comparison, { value, attribute }: Against): boolean {
  // Some directories write truth values as text.
  if (typeof found === 'boolean') return comparison === 'eq' && String(found) === String(value).toLowerCase();
  if (typeof found !== 'string' || typeof value !== 'string') return comparison === 'eq' && found === value;
  if (attribute.type === 'dateTime') return orders(Date.parse(found) - Date.parse(value), comparison);
  const [left, right] = attribute.isCaseExact === true ? [found, value] : [found.toLowerCase(), value.toLowerCase()];
  return (TEXT_COMPARISONS[comparison] ?? compareOrder)(left, right, comparison);
}

type CompareTexts = (left: string, right: string, comparison: Comparison) => boolean;

const TEXT_COMPARISONS: Readonly<Partial<Record<Comparison, CompareTexts>>> = {
  co: (left, right) => left.includes(right),
  sw: (left, right) => left.startsWith(right),
  ew: (left, right) => left.endsWith(right),
};

const compareOrder: CompareTexts = (left, right, comparison) => orders(left === right ? 0 : left < right ? -1 : 1, comparison);

/** NaN, of what is no time, is in no order. */
function orders(difference: number, comparison: Comparison): boolean {
  if (comparison === 'eq') return difference === 0;
  if (comparison === 'gt') return difference > 0;
  if (comparison === 'ge') return difference >= 0;
  if (comparison === 'lt') return difference < 0;
  return comparison === 'le' && difference <= 0;
}
