import { randomBytes } from 'node:crypto';

/** An id in the style of the wire, for providers that give none: a prefix and 24 hexadecimal digits. */
export function mintId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`;
}
