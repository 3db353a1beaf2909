const FORMATS = {
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  second: { dateStyle: 'medium', timeStyle: 'medium' },
  day: { dateStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type TimeForm = keyof typeof FORMATS;

const formatters = new Map<TimeForm, Intl.DateTimeFormat>();

/** In the reader's zone. */
export function formatTime(moment: Date, form: TimeForm): string {
  const known = formatters.get(form) ?? new Intl.DateTimeFormat(undefined, FORMATS[form]);
  formatters.set(form, known);
  return known.format(moment);
}

/** `2026-11-23 19:11:27 UTC`. */
export function formatUtc(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
