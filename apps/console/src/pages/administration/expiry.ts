export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a day …' },
] as const;

export type ExpiryChoice = { readonly choice: string; readonly date: string };

export const NO_EXPIRY: ExpiryChoice = { choice: 'never', date: '' };

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** When the key ends, as the interface takes it; a day means its end, in UTC. */
export function readExpiry({ choice, date }: ExpiryChoice, nowMs: number): string | null {
  if (choice === 'never') return null;
  if (choice === 'date') return DATE.test(date) ? `${date}T23:59:59Z` : null;
  return new Date(nowMs + Number(choice) * DAY_MS).toISOString();
}

export function findExpiryError({ choice, date }: ExpiryChoice, nowMs: number): string | undefined {
  if (choice !== 'date') return undefined;
  if (!DATE.test(date)) return 'Choose a day.';
  return Date.parse(`${date}T23:59:59Z`) <= nowMs ? 'This day is over.' : undefined;
}

/** What a key has now, as a choice: its day. */
export function toExpiryChoice(expiresAt: string | null): ExpiryChoice {
  return expiresAt === null ? NO_EXPIRY : { choice: 'date', date: new Date(expiresAt).toISOString().slice(0, 10) };
}
