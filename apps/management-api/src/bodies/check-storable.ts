import { GatewayError } from '@weir/errors';
import { takeTurn } from '@weir/http-server';

/** Postgres text knows neither NUL nor half of a surrogate pair. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** What is looked at before it is time to ask whether others wait. */
const LOOKS_AT_ONCE = 512;

/** A value and the way to it, which is written out only where something is wrong. */
type Place = { readonly value: unknown; readonly name: string; readonly within: Place | undefined };

/**
 * Throws `invalid_request` or `unsupported_field` naming the field for what could not be kept, in a body or in parameters, however
 * deep. A body may have hundreds of thousands of values: others are served in between.
 */
export async function checkStorable(value: unknown): Promise<void> {
  const open: Place[] = [{ value, name: '', within: undefined }];
  for (let looks = 1, place = open.pop(); place !== undefined; looks += 1, place = open.pop()) {
    if (looks % LOOKS_AT_ONCE === 0) await takeTurn();
    if (typeof place.value === 'string' && !isStorable(place.value)) throw refuse(pathOf(place));
    if (typeof place.value !== 'object' || place.value === null) continue;
    for (const [name, inner] of Object.entries(place.value)) {
      if (!isStorable(name)) throw refuse(pathOf(place));
      const within = { value: inner as unknown, name, within: place };
      // JavaScript's own name for what an object is made of: it would be taken for that, and lost.
      if (name === '__proto__') {
        const field = pathOf(within);
        throw new GatewayError('unsupported_field', `Unknown field \`${field}\`.`, { field });
      }
      open.push(within);
    }
  }
}

function pathOf({ name, within }: Place): string {
  if (within === undefined) return name;
  const before = pathOf(within);
  return before === '' ? name : `${before}.${name}`;
}

function refuse(field: string): GatewayError {
  const reason = 'holds a character that cannot be kept: NUL, or half of a surrogate pair';
  return new GatewayError('invalid_request', field === '' ? `A name ${reason}.` : `\`${field}\` ${reason}.`, field === '' ? {} : { field });
}
