import { parseMoney, parseUsd, writeMoney } from '../../format/money';

type ReadAmount = { readonly usd: number | null } | { readonly error: string };

const MOST = parseMoney('1000000000');
const TYPED = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,12})?$/;

/**
 * What somebody typed as a sum of USD, as the JSON number that the interface takes; null where nothing was typed. Sums that a
 * JSON number cannot hold to the last digit are refused rather than rounded.
 */
export function readSum(text: string): ReadAmount {
  const typed = text.trim();
  if (typed === '') return { usd: null };
  const [, whole = '', fraction = ''] = TYPED.exec(typed) ?? [];
  if (whole === '') return { error: 'Write an amount of USD, such as 50 or 12.50.' };
  const pico = parseMoney(`${whole.replaceAll(',', '')}${fraction}`);
  if (pico > MOST) return { error: 'At most $1,000,000,000.' };
  const usd = Number(writeMoney(pico));
  return parseUsd(usd) === pico ? { usd } : { error: 'This has more digits than an amount can have here.' };
}

/** A limit. The interface takes 0 for no limit, which is not what somebody means who types it. */
export function readAmount(text: string): ReadAmount {
  const read = readSum(text);
  return 'usd' in read && read.usd === 0 ? { error: '0 would be no limit. Leave this empty if you mean that.' } : read;
}

/** What `readAmount` gave where the text is known to be good. */
export function amountOf(text: string): number | null {
  const read = readAmount(text);
  return 'usd' in read ? read.usd : null;
}

export function amountError(text: string): string | undefined {
  const read = readAmount(text);
  return 'error' in read ? read.error : undefined;
}

/** A limit as it is put into a field; no limit is an empty field. */
export function writeAmount(usd: number | undefined): string {
  return usd === undefined || usd === 0 ? '' : writeMoney(parseUsd(usd));
}

type Spending = { readonly share: number; readonly kind: 'normal' | 'warn' | 'bad' };

const FULL = 1000n;

/** How much of a limit is spent, for a bar; undefined without a limit. From 80 % on it warns. */
export function compareSpending(spentUsd: number, limitUsd: number | undefined): Spending | undefined {
  const limit = parseUsd(limitUsd ?? 0);
  if (limit === 0n) return undefined;
  const permille = (parseUsd(spentUsd) * FULL) / limit;
  const kind = permille >= FULL ? 'bad' : permille >= 800n ? 'warn' : 'normal';
  return { share: Number(permille) / 1000, kind };
}
