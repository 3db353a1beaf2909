import { stringifyExactJson } from '@weir/canonical';

/** The object as JSON text with one more member at its end, given as JSON text. */
export function appendMember(object: object, name: string, valueJson: string): string {
  const text = stringifyExactJson(object);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"${name}":${valueJson}}`;
}
