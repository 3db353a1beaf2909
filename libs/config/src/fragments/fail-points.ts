import { FAIL_POINTS, NO_FAIL_POINT, type FailPoint } from '@weir/contracts';
import { z } from 'zod';
import { flag } from '../values';

const ACTIONS = ['kill', 'stop', 'eio', 'enospc'] as const;
const FORMAT = new RegExp(`^(${FAIL_POINTS.map((name) => name.replaceAll('.', '\\.')).join('|')}):(${ACTIONS.join('|')})@([1-9]\\d{0,8})$`);

/** How the fault rig makes a process fail. Never set where requests are real: allowing it is a setting of its own. */
export const failPointEnv = z.object({
  FAILPOINTS_ALLOWED: flag.default(false),
  /** `<name>:<kill|stop|eio|enospc>@<nth hit>`. */
  FAILPOINT: z
    .string()
    .regex(FORMAT, `must be <name>:<${ACTIONS.join('|')}>@<nth>, the name one of ${FAIL_POINTS.join(', ')}`)
    .optional(),
});

type Action = (typeof ACTIONS)[number];

/** The fail point that the settings ask for, for libraries to call; without settings, a constant that does nothing. Throws when it is set but not allowed. */
export function createFailPoint(env: z.infer<typeof failPointEnv>): FailPoint {
  if (env.FAILPOINT === undefined) return NO_FAIL_POINT;
  if (!env.FAILPOINTS_ALLOWED) throw new Error('FAILPOINT is set, but FAILPOINTS_ALLOWED is not true');
  const [, wanted, action, nth] = FORMAT.exec(env.FAILPOINT) ?? [];
  let hits = 0;
  return (name) => {
    if (name !== wanted) return;
    hits += 1;
    if (hits === Number(nth)) fail(action as Action);
  };
}

function fail(action: Action): void {
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  else if (action === 'stop') process.kill(process.pid, 'SIGSTOP');
  else throw Object.assign(new Error(`${action.toUpperCase()}: made to fail`), { code: action.toUpperCase() });
}
