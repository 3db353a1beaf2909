import type { Usage } from './reply';

/** One reply in one dialect: whole, and as frames without their ends. */
export type Encoded = { readonly whole: object; readonly frames: readonly string[] };

/** What a reply uses unless it says something else. */
export const USAGE: Usage = { input: 11, output: 7, cached: 3, reasoning: 0 };

/** A text in the pieces that a stream brings it in. */
export function words(text: string | undefined): string[] {
  return text === undefined ? [] : (text.match(/\s*\S+|\s+$/g) ?? []);
}

/** A frame with a named event. */
export function eventFrame(data: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}`;
}
