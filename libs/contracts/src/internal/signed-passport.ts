import { createHmac, timingSafeEqual } from 'node:crypto';
import { passport, type Passport } from './passport';

/** The header that carries a signed passport from the edge to a worker. */
export const PASSPORT_HEADER = 'x-weir-passport';
/** Our servers refuse headers over 32 KiB in total; ten attempts with tiered prices and sealed credentials stay well below this. */
const HEADER_BYTES_MAX = 24 * 1024;

/** Signs a passport into one header value, `<base64url json>.<base64url HMAC-SHA256>`. */
export function signPassport(value: Passport, secret: string): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${body}.${sign(body, secret)}`;
  if (signed.length > HEADER_BYTES_MAX) throw new Error(`passport of ${signed.length} bytes exceeds ${HEADER_BYTES_MAX}`);
  return signed;
}

/**
 * Reads a passport back. Returns undefined when the signature is wrong, the content is not a passport, it needs what this
 * version does not know, or its deadline has passed: a worker then refuses the request.
 */
export function readSignedPassport(header: string | undefined, secret: string, nowMs: number): Passport | undefined {
  if (header === undefined || header.length > HEADER_BYTES_MAX) return undefined;
  const dot = header.indexOf('.');
  if (dot < 1) return undefined;
  const body = header.slice(0, dot);
  const given = Buffer.from(header.slice(dot + 1));
  const expected = Buffer.from(sign(body, secret));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const parsed = passport.safeParse(parseJson(Buffer.from(body, 'base64url').toString()));
  return parsed.success && parsed.data.deadlineMs > nowMs && isUnderstood(parsed.data) ? parsed.data : undefined;
}

/** Words for what workers of this version understand beyond the fields that every version does. */
const UNDERSTOOD: ReadonlySet<string> = new Set(['guardrails']);

function isUnderstood({ needs = [] }: Passport): boolean {
  return needs.every((word) => UNDERSTOOD.has(word));
}

function sign(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64url');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // signed by us but cut on the way: the caller of this function refuses it
  }
}
