import { isAlphanumeric } from './characters';
import type { Detector } from './detector';
import { findShape } from './shape';

/** How long an account number is in each country, country and check digits included. */
const LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 ' +
    'FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ' +
    'ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ' +
    'ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);
/** 34 characters and a space after every fourth. */
const REACH = 48;
const HEAD = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;
const OPEN_HEAD = /(?<![A-Za-z0-9])[A-Za-z]{1,2}\d?$/;

/** International bank account numbers: the length of their country, and check digits that fit (mod 97). */
export const ibans: Detector = {
  name: 'iban',
  find: ({ text, from }, report) => findShape(text, from, { pattern: HEAD, verify: findEnd, report }),
  pendingFrom: (text, from) => {
    const least = Math.max(from, text.length - REACH);
    HEAD.lastIndex = least;
    const head = HEAD.exec(text);
    if (head !== null) return head.index;
    const before = Math.max(0, text.length - 4);
    const open = OPEN_HEAD.exec(text.slice(before));
    return open === null ? text.length : Math.max(from, before + open.index);
  },
};

function findEnd(text: string, start: number): number | undefined {
  const length = LENGTHS[text.slice(start, start + 2).toUpperCase()];
  if (length === undefined) return undefined;
  let end = start;
  let compact = '';
  while (compact.length < length) {
    const isGap = text[end] === ' ' || text[end] === '-';
    if (isGap && compact.length % 4 !== 0) return undefined;
    if (isGap) end += 1;
    if (!isAlphanumeric(text.charCodeAt(end))) return undefined;
    compact += text[end];
    end += 1;
  }
  return !isAlphanumeric(text.charCodeAt(end)) && hasCheckDigits(compact.toUpperCase()) ? end : undefined;
}

function hasCheckDigits(iban: string): boolean {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
