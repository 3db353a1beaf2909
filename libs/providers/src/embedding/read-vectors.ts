import { unreadableReply } from '../failures/unsupported';

/** Lists of numbers out of a parsed reply. Throws `provider_unreadable` for anything else. */
export function readVectors(values: readonly unknown[]): (readonly number[])[] {
  return values.map((value) => {
    if (!Array.isArray(value) || value.length === 0 || !value.every((entry) => typeof entry === 'number')) throw unreadableReply();
    return value;
  });
}
