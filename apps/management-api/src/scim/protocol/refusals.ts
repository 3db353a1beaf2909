import { GatewayError, type ScimErrorType } from '@weir/errors';

const CHARS_MAX = 200;

/** A 400 with the word that SCIM has for it. */
export function refuse(scimType: ScimErrorType, message: string, field?: string): GatewayError {
  return new GatewayError('invalid_request', message, { scimType, ...(field === undefined ? {} : { field }) });
}

export function refuseValue(field: string, problem: string): GatewayError {
  return refuse('invalidValue', `\`${shorten(field)}\` ${problem}.`, shorten(field));
}

/** A name that another resource of the organization has. */
export function refuseTaken(field: string, value: string): GatewayError {
  return new GatewayError('conflict', `There is one with the \`${field}\` "${shorten(value)}" already.`, { scimType: 'uniqueness', field });
}

export function noResource(kind: string, id: string): GatewayError {
  return new GatewayError('not_found', `This organization has no ${kind} "${shorten(id)}".`);
}

export function shorten(text: string): string {
  return text.slice(0, CHARS_MAX);
}
