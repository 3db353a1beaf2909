import { z } from 'zod';

/** A whole number from text, within bounds. */
export function integer(min: number, max: number) {
  const words = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d+$/, words)
    .transform(Number)
    .pipe(z.int(words).min(min, words).max(max, words));
}

export const port = integer(0, 65535);

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Says what a value must be where one is given; of one that is missing nothing else is said. */
export function orWords(words: string) {
  return { error: ({ input }: { readonly input?: unknown }) => (input === undefined ? undefined : words) };
}

/** An address of one of these protocols; `example` is what its problem shows. */
export function address(protocol: RegExp, example: string) {
  return z.url({ protocol, ...orWords(`must be an address, as ${example}`) });
}

const withoutSlash = (text: string): string => text.replace(/\/+$/, '');

export const httpUrl = address(/^https?$/, 'https://host:port').transform(withoutSlash);

/** One or more, with commas between them. */
export const httpUrls = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(httpUrl).min(1));
