import { isExactNumber, mayHoldLongNumber, parseExactJson } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

/**
 * JSON.parse, for bodies whose numbers are kept. Throws `invalid_request` for a number that no double holds: what would be kept of an
 * amount is another one, and two bodies that differ in such digits would look alike.
 */
export function parseHeldJson(text: string): unknown {
  if (!mayHoldLongNumber(text)) return JSON.parse(text) as unknown;
  const value = parseExactJson(text);
  refuseLongNumbers(value, '');
  return value;
}

function refuseLongNumbers(value: unknown, field: string): void {
  if (isExactNumber(value)) {
    const where = field === '' ? 'The body' : `\`${field}\``;
    throw new GatewayError(
      'invalid_request',
      `${where} has more digits than are kept of a number. Send fewer, or text where the field takes text.`,
      field === '' ? {} : { field },
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    refuseLongNumbers(member, Array.isArray(value) ? `${field}[${name}]` : `${field === '' ? '' : `${field}.`}${name.slice(0, 64)}`);
  }
}
