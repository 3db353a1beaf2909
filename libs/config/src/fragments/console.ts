import { z } from 'zod';
import { flag, integer } from '../values';

/** Whether there is a console at `/console` of this address. */
export const consoleSwitch = z.object({ CONSOLE: flag.default(true) });

/** Of the process that serves the console. */
export const consoleEnv = z.object({
  ...consoleSwitch.shape,
  /** A session of the console that is not used for so long ends. */
  CONSOLE_IDLE_MINUTES: integer(1, 7 * 24 * 60).default(8 * 60),
});
