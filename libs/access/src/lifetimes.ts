/** How long what was read of an organization serves before it is read again, and how long at most while it cannot be. */
export type Lifetime = { readonly freshMs: number; readonly staleMsMax: number };

const FRESH_MS = 10_000;

/** Without the database the gateway goes on with what it knows; an organization that is strict would rather be refused soon. */
export const LIFETIMES = {
  usual: { freshMs: FRESH_MS, staleMsMax: 15 * 60_000 },
  strict: { freshMs: FRESH_MS, staleMsMax: 60_000 },
} as const satisfies Record<string, Lifetime>;
