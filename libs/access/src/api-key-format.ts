import { createHmac, hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** What scanners look for. The last six of the 36 are the CRC-32 of all before, in base 62. */
const API_KEY_PATTERN = 'weir_[a-z0-9]{1,16}_[0-9A-Za-z]{36}';
const OURS = new RegExp(`^${API_KEY_PATTERN}$`);
const ANYWHERE = new RegExp(API_KEY_PATTERN, 'g');
const KEY_LENGTH_MAX = 512;

/** Makes a key: `weir_<env>_<30 base62 random><6 base62 CRC32 of all before>`; 178 bits of randomness. */
export function generateApiKey(env: string): string {
  const body = `weir_${env}_${randomBase62(RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/**
 * Whether a credential could be a key at all, decided without any look-up: one of our form must carry the right
 * checksum; anything else (an operator's own bootstrap key) only has to be a plausible token.
 */
export function isPlausibleApiKey(key: string): boolean {
  if (key.length < 20 || key.length > KEY_LENGTH_MAX) return false;
  if (!OURS.test(key)) return true;
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

/** A text without any of our keys in it, right checksum or not. */
export function hideApiKeys(text: string): string {
  return text.replace(ANYWHERE, '[hidden]');
}

/** What is stored of a key: HMAC-SHA256 under the pepper, 32 bytes. */
export function digestApiKey(key: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** A character of a JavaScript string takes at most three bytes of UTF-8. */
const KEY_BYTES_MAX = 3 * KEY_LENGTH_MAX;

/**
 * `digestApiKey` under one pepper, for every request: an HMAC object costs twice as much as the two hashes it stands for
 * (RFC 2104), which are computed here over buffers that are made once.
 */
export function createApiKeyDigest(pepper: string): (key: string) => Buffer {
  const secret = Buffer.from(pepper).length > BLOCK_BYTES ? hash('sha256', pepper, 'buffer') : Buffer.from(pepper);
  const inner = Buffer.alloc(BLOCK_BYTES + KEY_BYTES_MAX, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
  for (const [at, byte] of secret.entries()) {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return (key) => {
    if (key.length > KEY_LENGTH_MAX) return digestApiKey(key, pepper);
    const end = BLOCK_BYTES + inner.write(key, BLOCK_BYTES);
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'binary');
    return Buffer.from(hash('sha256', outer, 'binary'), 'binary');
  };
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: above it the remainder would favour the first letters.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62] as string;
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    encoded = (ALPHABET[rest % 62] as string) + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}
