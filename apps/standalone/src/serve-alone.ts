import { createEnvLookup, warnOfMisspelt } from '@weir/config';
import { listKeySettingNames } from '@weir/providers';
import type { DirectoryLock } from '@weir/directory-lock';
import { stopOnSignals, type TakenPort } from '@weir/http-server';
import { isForPeople, type Logger } from '@weir/telemetry';
import { checkProviderKeys } from './check-provider-keys';
import { startStandalone } from './compose';
import { describeProviders } from './describe-providers';
import { ensureFirstKey } from './ensure-first-key';
import { standaloneEnv, type StandaloneEnv } from './env';
import { openDataParts } from './open-data-parts';
import { openShared } from './open-shared';
import type { RunningPostgres } from './open-postgres';
import { readPeppers, type Secrets } from './open-secrets';
import { describeLocalAddress } from './own-address';
import { describeKey, describeStart } from './print-banner';
import { stopWithNpm } from './stop-with-parent';

export type AloneParts = {
  readonly env: StandaloneEnv;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly postgres: RunningPostgres;
  readonly taken: TakenPort;
  /** On the data directory. */
  readonly lock: DirectoryLock;
};

/** Data, first key, the five services, until a signal. Most of the program is loaded with this file. */
export async function serveAlone({ env, log, secrets, postgres, taken, lock }: AloneParts): Promise<void> {
  warnOfMisspelt(standaloneEnv, log, listKeySettingNames());
  const data = await openDataParts(env, log, { postgres, openShared: (...sources) => openShared(...sources, lock) });
  try {
    const key = await ensureFirstKey(data.database, readPeppers(secrets), env.BOOTSTRAP_API_KEY);
    // At once: what fails from here on must not take it along.
    process.stdout.write(`\n${describeKey(key)}\n\n`);
    const service = await startStandalone({ env, log, secrets, data, taken });
    const exit = (code: number): void => {
      lock.release();
      process.exit(code);
    };
    const askToStop = stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit });
    stopWithNpm(env, askToStop);
    void data.counters?.lost?.then(askToStop);
    const started = {
      address: describeLocalAddress(env.HOST, service.port),
      metrics: describeLocalAddress(env.HOST, service.metricsPort),
      providers: describeProviders(service.providers),
      consoleLink: service.console?.offerLink(key?.value),
    };
    process.stdout.write(describeStart(started, key));
    // An operator at the terminal can correct a key; elsewhere the first request shows it.
    if (isForPeople(env.LOG_FORMAT)) void checkProviderKeys({ providers: service.providers, env: createEnvLookup(), log });
  } catch (error) {
    await data.close();
    throw error;
  }
}
