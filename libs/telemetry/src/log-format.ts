import { isatty } from 'node:tty';

/** The setting LOG_FORMAT. `auto`: lines for people on a terminal, JSON elsewhere. */
export type LogFormat = 'auto' | 'json' | 'text';

const STDOUT = 1;

/** Whether log lines are for people. */
export function isForPeople(format: LogFormat): boolean {
  return format === 'text' || (format === 'auto' && isatty(STDOUT));
}

/** Whether standard output shows colours; never where NO_COLOR is set, which Node looks at. */
export function hasColours(): boolean {
  return isatty(STDOUT) && process.stdout.hasColors();
}
