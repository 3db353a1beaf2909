/** Where this month's spending begins: the calendar month of UTC, as the address of the requests takes it. */
export function monthStart(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01T00:00:00Z`;
}
