import { isExactNumber } from './exact-json';

export type JsonRecord = Record<string, unknown>;

/** Returns undefined for anything but a JSON object. */
export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Returns undefined for anything but a string with something in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !isExactNumber(value) ? value : undefined;
}

/** The parsed text; undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // every caller has a meaning for "not JSON"
  }
}
