import { readSmtpSettings } from '@weir/config';
import { createRecordedPayments } from '@weir/limits';
import { createLimitPressureMetrics, type MetricsRegistry } from '@weir/telemetry';
import { openMailer, startMoneyTasks } from '@weir/usage-aggregator';
import { createFetcher, openVault, type OwnParts } from './own-parts';

export function openMoneyTasks(parts: OwnParts, registry: MetricsRegistry): ReturnType<typeof startMoneyTasks> {
  const { env, data, log } = parts;
  return startMoneyTasks({
    ...{ database: data.database, notify: () => data.changeNotices.notify(), now: Date.now, log },
    vault: openVault(parts),
    fetcher: createFetcher(env),
    mailer: openMailer(readSmtpSettings(env)),
    showLimits: createLimitPressureMetrics(registry),
    payments: env.AUTO_TOP_UP === 'recorded' ? createRecordedPayments() : undefined,
    isBalanceRequired: env.BALANCE_REQUIRED,
  });
}
