import { createHmac, timingSafeEqual } from 'node:crypto';
import { passport, type Passport } from './passport';

/** The header that carries a signed passport from the edge to a worker. */
export const PASSPORT_HEADER = 'x-weir-passport';
/** Node refuses headers over 16 KiB in total; ten attempts with tiered prices stay well below this. */
const HEADER_BYTES_MAX = 12 * 1024;

/** Signs a passport into one header value, `<base64url json>.<base64url HMAC-SHA256>`. */
export function signPassport(value: Passport, secret: string): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${body}.${sign(body, secret)}`;
  if (signed.length > HEADER_BYTES_MAX) throw new Error(`passport of ${signed.length} bytes exceeds ${HEADER_BYTES_MAX}`);
  return signed;
}

/**
 * Reads a passport back. Answers undefined when the signature is wrong, the content is not a passport,
 * or its deadline has passed: a worker then refuses the request.
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
  return parsed.success && parsed.data.deadlineMs > nowMs ? parsed.data : undefined;
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
