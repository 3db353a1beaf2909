import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

/** HMAC-SHA256 of a text, base64url. */
export function signText(text: string, secret: string): string {
  return createHmac('sha256', findKey(secret)).update(text).digest('base64url');
}

export function isSignedText(text: string, signature: string, secret: string): boolean {
  const given = Buffer.from(signature);
  const expected = Buffer.from(signText(text, secret));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The last one: a process has one secret. Making a key of it each time costs as much as signing. */
let known: { readonly secret: string; readonly key: KeyObject } | undefined;

function findKey(secret: string): KeyObject {
  if (known?.secret !== secret) known = { secret, key: createSecretKey(Buffer.from(secret)) };
  return known.key;
}
