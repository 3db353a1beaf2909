import type { ReceivedForm } from '@weir/http-server';
import type { Fields } from './read-fields';

/** How the texts of a form are to be understood; every other field is text. */
export type FormShape = {
  readonly numbers?: readonly string[];
  readonly flags?: readonly string[];
  readonly lists?: readonly string[];
};

const NUMBER = /^-?\d+(\.\d+)?$/;
const LIST_NAME = /\[\d*\]$/;

/** `name`, `name[]` and `name[0]` are the same field. */
export function plainName(name: string): string {
  return name.replace(LIST_NAME, '');
}

/**
 * The fields of a form as the same request would have them in JSON. What is no number stays text, so that the reader of
 * the field refuses it. A field given again counts once, the last one, unless it is a list.
 */
export function readFormFields({ fields }: Pick<ReceivedForm, 'fields'>, { numbers = [], flags = [], lists = [] }: FormShape): Fields {
  const read = new Map<string, unknown>();
  for (const { name: given, value } of fields) {
    const name = plainName(given);
    if (lists.includes(name)) read.set(name, [...((read.get(name) as unknown[] | undefined) ?? []), value]);
    else if (numbers.includes(name)) read.set(name, NUMBER.test(value) ? Number(value) : value);
    else if (flags.includes(name)) read.set(name, value === 'true' ? true : value === 'false' ? false : value);
    else read.set(name, value);
  }
  return Object.fromEntries(read);
}
