import { passport, understands, type Passport } from './passport';
import { isSignedText, signText } from './sign-text';

/** The header that carries a signed passport from the edge to a worker. */
export const PASSPORT_HEADER = 'x-weir-passport';
/** Our servers refuse headers over 32 KiB in total; ten attempts with tiered prices and sealed credentials stay well below this. */
export const PASSPORT_BYTES_MAX = 24 * 1024;

/** Signs a passport into one header value, `<base64url json>.<base64url HMAC-SHA256>`. */
export function signPassport(value: Passport, secret: string): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${body}.${signText(body, secret)}`;
  if (signed.length > PASSPORT_BYTES_MAX) throw new Error(`passport of ${signed.length} bytes exceeds ${PASSPORT_BYTES_MAX}`);
  return signed;
}

/**
 * Reads a passport back. Returns undefined when the signature is wrong, the content is not a passport, it needs what this
 * version does not know, or its deadline has passed: a worker then refuses the request.
 */
export function readSignedPassport(header: string | undefined, secret: string, nowMs: number): Passport | undefined {
  if (header === undefined || header.length > PASSPORT_BYTES_MAX) return undefined;
  const dot = header.indexOf('.');
  if (dot < 1) return undefined;
  const body = header.slice(0, dot);
  if (!isSignedText(body, header.slice(dot + 1), secret)) return undefined;
  const parsed = passport.safeParse(parseJson(Buffer.from(body, 'base64url').toString()));
  return parsed.success && parsed.data.deadlineMs > nowMs && understands(parsed.data) ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // signed by us but cut on the way: the caller of this function refuses it
  }
}
