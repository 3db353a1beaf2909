import { z } from 'zod';

/** A whole number from text, within bounds. */
export function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

export const port = integer(0, 65535);

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const httpUrl = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));
