export const REMOVED_SECRET = '[removed]';

/** What every secret that is looked for has at least; shorter texts are words. */
export const SECRET_LENGTH_MIN = 8;
const FACTOR = 0x01000193;
/** Of the character that leaves the window. */
const FACTOR_OUT = Array.from({ length: SECRET_LENGTH_MIN }).reduce<number>((power) => Math.imul(power, FACTOR), 1);
/** Of a hash, the bits that the first look is taken by: with thousands of secrets, nineteen places in twenty are passed at once. */
const FILTER_SHIFT = 16;

/** Secrets by the hash of how they end: keys of one maker begin alike. */
export type SecretIndex = {
  readonly byEnd: ReadonlyMap<number, readonly string[]>;
  readonly filter: Uint8Array;
  /** UTF-16 units of the longest. */
  readonly longest: number;
};

/** Each secret also as it stands in JSON and on one line. What is shorter than `SECRET_LENGTH_MIN` is left out. */
export function indexSecrets(secrets: Iterable<string>): SecretIndex {
  const byEnd = new Map<number, string[]>();
  const filter = new Uint8Array(2 ** (32 - FILTER_SHIFT));
  let longest = 0;
  for (const secret of secrets) {
    for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1), secret.replace(/\s+/g, ' ')])) {
      if (form.length < SECRET_LENGTH_MIN) continue;
      const hash = hashEnd(form);
      const alike = byEnd.get(hash);
      if (alike === undefined) byEnd.set(hash, [form]);
      else alike.push(form);
      filter[hash >>> FILTER_SHIFT] = 1;
      longest = Math.max(longest, form.length);
    }
  }
  return { byEnd, filter, longest };
}

/**
 * The text, of at most its first `charactersMax`, with `[removed]` in the place of every secret; where secrets overlap, of
 * all of them together, and where one goes on behind the end, of that too. Takes one pass however many secrets there are,
 * unless many of them end alike.
 */
export function hideSecrets(text: string, index: SecretIndex, charactersMax = Infinity): string {
  const end = Math.min(text.length, charactersMax);
  let cleaned = '';
  let from = 0;
  for (const place of joinPlaces(findSecrets(text, index, end + index.longest))) {
    if (place.start >= end) break;
    cleaned += text.slice(from, place.start) + REMOVED_SECRET;
    from = place.end;
  }
  return from === 0 && end === text.length ? text : cleaned + text.slice(from, end);
}

type Place = { start: number; end: number };

function findSecrets(text: string, { byEnd, filter }: SecretIndex, searchedMax: number): Place[] {
  const places: Place[] = [];
  if (byEnd.size === 0) return places;
  const searched = Math.min(text.length, searchedMax);
  let hash = 0;
  for (let at = 0; at < searched; at += 1) {
    hash = (Math.imul(hash, FACTOR) + text.charCodeAt(at)) | 0;
    if (at >= SECRET_LENGTH_MIN) hash = (hash - Math.imul(FACTOR_OUT, text.charCodeAt(at - SECRET_LENGTH_MIN))) | 0;
    if (filter[hash >>> FILTER_SHIFT] !== 1) continue;
    for (const secret of byEnd.get(hash) ?? []) {
      const start = at + 1 - secret.length;
      if (start >= 0 && text.startsWith(secret, start)) places.push({ start, end: at + 1 });
    }
  }
  return places;
}

function hashEnd(secret: string): number {
  let hash = 0;
  for (let at = secret.length - SECRET_LENGTH_MIN; at < secret.length; at += 1)
    hash = (Math.imul(hash, FACTOR) + secret.charCodeAt(at)) | 0;
  return hash;
}

/** Joins places that overlap, so that no part of a secret stays visible beside another. */
function joinPlaces(places: readonly Place[]): Place[] {
  const joined: Place[] = [];
  for (const place of [...places].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || place.start >= last.end) joined.push({ ...place });
    else last.end = Math.max(last.end, place.end);
  }
  return joined;
}
