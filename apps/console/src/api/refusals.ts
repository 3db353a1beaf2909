import { toApiError } from './api-error';
import { isWithin } from './check-body';

/** What the gateway said about one field of a form, `labels.team` being part of `labels`. */
export function refusalAt(error: unknown, ...fields: readonly string[]): string | undefined {
  if (error === null || error === undefined) return undefined;
  const { field, message } = toApiError(error);
  return field !== undefined && fields.some((name) => isWithin(field, name)) ? message : undefined;
}

/** What it said about none of the fields that are shown. */
export function refusalElsewhere(error: unknown, fields: readonly string[]): string | undefined {
  if (error === null || error === undefined || refusalAt(error, ...fields) !== undefined) return undefined;
  return explain(error);
}

/** A 403 with what would help; everything else in the gateway's words. */
export function explain(error: unknown): string {
  const { status, message } = toApiError(error);
  return status === 403 ? `Your key does not allow this. ${message}` : message;
}
