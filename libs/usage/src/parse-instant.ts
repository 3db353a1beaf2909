const FINER_THAN_MILLISECONDS = /\.\d{3}\d*[1-9]/;

/**
 * Events are admitted at whole milliseconds. From an instant between two of them on means from the later one on, and until
 * it means until the later one: ranges that meet there neither overlap nor leave anything out.
 */
export function parseInstant(text: string): number {
  return Date.parse(text) + (FINER_THAN_MILLISECONDS.test(text) ? 1 : 0);
}

/** RFC 3339 text as it is meant: a query string turns the `+` of an offset into a space, and `t` and `z` are taken too. */
export function spellInstant(text: string): string {
  return text.replace(/ (?=\d\d:\d\d$)/, '+').toUpperCase();
}
