import { randomFillSync } from 'node:crypto';

/** Hexadecimal digits of one id that are drawn: 74 bits, and two that say of which variant it is. */
const DIGITS = 19;
const IDS = 256;
/** By two bits of the hexadecimal digit that is drawn for it. */
const VARIANTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'0123456789abcdef'].map((digit, value) => [digit, '89ab'.charAt(value % 4)]),
);

/** Makes UUIDs of version 7: sortable by time, 74 random bits. Random digits are drawn for 256 ids at a time. */
export function createRequestIdSource(now: () => number): () => string {
  const pool = Buffer.alloc((DIGITS * IDS) / 2);
  let digits = '';
  let at = 0;
  let timeMs = -1;
  let time = '';
  return () => {
    if (at === digits.length) {
      digits = randomFillSync(pool).toString('hex');
      at = 0;
    }
    const nowMs = now();
    if (nowMs !== timeMs) {
      timeMs = nowMs;
      time = formatTime(nowMs);
    }
    const from = at;
    at += DIGITS;
    const variant = VARIANTS[digits.charAt(from + 3)] as string;
    return `${time}${digits.slice(from, from + 3)}-${variant}${digits.slice(from + 4, from + 7)}-${digits.slice(from + 7, from + DIGITS)}`;
  };
}

/** An id up to its version. */
function formatTime(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}
