import { GatewayError } from '@weir/errors';

/** Postgres text knows neither NUL nor half of a surrogate pair. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** Throws `invalid_request` or `unsupported_field` naming the field for what could not be kept, in a body or in parameters, however deep. */
export function checkStorable(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw refuse(path);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const field = path === '' ? name : `${path}.${name}`;
    if (!isStorable(name)) throw refuse(path);
    // JavaScript's own name for what an object is made of: it would be taken for that, and lost.
    if (name === '__proto__') throw new GatewayError('unsupported_field', `Unknown field \`${field}\`.`, { field });
    checkStorable(inner, field);
  }
}

function refuse(field: string): GatewayError {
  const reason = 'holds a character that cannot be kept: NUL, or half of a surrogate pair';
  return new GatewayError('invalid_request', field === '' ? `A name ${reason}.` : `\`${field}\` ${reason}.`, field === '' ? {} : { field });
}
