import {
  claimFirings,
  expireCredits,
  finishFiring,
  fireAlerts,
  fireAnomalyAlerts,
  readLimitPressure,
  runTopUps,
  type Database,
  type DatabaseLog,
  type LimitPressure,
} from '@weir/database';
import type { GuardedFetcher } from '@weir/guarded-fetch';
import { repeatTasks, type RunningTasks, type Task } from '@weir/http-server';
import type { PaymentProvider } from '@weir/limits';
import type { Vault } from '@weir/sealing';
import type { Mailer } from './alerts/create-mailer';
import { deliverAlerts } from './alerts/deliver-alerts';

type MoneyTaskParts = {
  readonly database: Pick<Database, 'pool'>;
  /** Opens the secrets and addresses of alerts; without it they are noticed and wait. */
  readonly vault: Pick<Vault, 'open'> | undefined;
  readonly fetcher: Pick<GuardedFetcher, 'post'>;
  /** Sends e-mail; absent where the gateway has no mail server. */
  readonly mailer?: Mailer | undefined;
  /** Who takes money for automatic top-ups; without it there are none. */
  readonly payments: PaymentProvider | undefined;
  readonly isBalanceRequired: boolean;
  /** Informs other processes that a balance has changed. */
  readonly notify: () => Promise<void>;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: DatabaseLog;
  /** Shows how full limits are; absent: it is not looked at. */
  readonly showLimits?: ((pressures: readonly LimitPressure[]) => void) | undefined;
};

const SECOND = 1000;
/** Usage of the time before a credit expired may still be on its way. */
const EXPIRY_GRACE_MS = 5 * 60 * SECOND;
const DELIVERY_LEASE_MS = 60 * SECOND;
/** Of every secret of an alert. */
const SECRET_VERSION = 1;

/** Starts what is done about money beside counting it: alerts, automatic top-ups, expiry. Any number of processes may. */
export function startMoneyTasks(parts: MoneyTaskParts): RunningTasks {
  const { database, payments, isBalanceRequired, vault, now, log } = parts;
  const { pool } = database;
  const tasks: Task[] = [
    { name: 'alerts', everyMs: SECOND, run: () => fireAlerts(pool, now()) },
    { name: 'unusual hours', everyMs: 60 * SECOND, run: () => fireAnomalyAlerts(pool, now()) },
    {
      name: 'expiry',
      everyMs: 60 * SECOND,
      run: async () => {
        if ((await expireCredits(pool, now() - EXPIRY_GRACE_MS)) > 0) await parts.notify();
      },
    },
  ];
  const { showLimits } = parts;
  if (showLimits !== undefined) {
    tasks.push({ name: 'how full limits are', everyMs: 15 * SECOND, run: async () => showLimits(await readLimitPressure(pool, now())) });
  }
  if (vault !== undefined) tasks.push({ name: 'notices', everyMs: SECOND, run: () => deliver(parts, vault) });
  if (payments !== undefined) {
    tasks.push({
      name: 'top-ups',
      everyMs: 2 * SECOND,
      run: async () => {
        const outcomes = await runTopUps({ pool, payments, isBalanceRequired, now, log });
        if ([...outcomes.values()].includes('paid')) await parts.notify();
      },
    });
  }
  return repeatTasks(tasks, log);
}

function deliver({ database: { pool }, fetcher, mailer, now }: MoneyTaskParts, vault: Pick<Vault, 'open'>): Promise<number> {
  return deliverAlerts({
    claim: (limit) => claimFirings(pool, { nowMs: now(), limit, leaseMs: DELIVERY_LEASE_MS }),
    finish: (result) => finishFiring(pool, result),
    openSecret: ({ notice, sealedSecret }) =>
      vault.open(sealedSecret, { organizationId: notice.organizationId, recordId: notice.alertId, version: SECRET_VERSION }),
    send: ({ organizationId, ...webhook }) => fetcher.post({ ...webhook, field: 'url', owner: organizationId }),
    mailer,
    now,
    random: Math.random,
  });
}
