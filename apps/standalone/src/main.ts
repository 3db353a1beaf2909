// What `npm start` runs. One process that does everything: env → port → embedded parts → key → compose → serve → drain. Or, as
// PROCESSES says, one that keeps the books and gateways beside it, started and kept by this one (see family/).
import { createEnvLookup, loadEnv } from '@weir/config';
import { checkPort, sharePort, stopOnSignals, takePort, type TakenPort } from '@weir/http-server';
import { createLogger, isForPeople, type Logger } from '@weir/telemetry';
import { checkProviderKeys } from './check-provider-keys';
import { startStandalone } from './compose';
import { describeProviders } from './describe-providers';
import { ensureFirstKey } from './ensure-first-key';
import { standaloneEnv, type StandaloneEnv } from './env';
import { countGateways } from './family/count-gateways';
import { runFamily } from './family/run-family';
import { holdDataDirectory, lockDataDirectory } from './hold-data-directory';
import { openDataParts } from './open-data-parts';
import { openSecrets, readPeppers } from './open-secrets';
import { describeLocalAddress } from './own-address';
import { describeKey, describeStart } from './print-banner';
import { refuseEmbeddedParts } from './refuse-embedded-parts';
import { stopWithParent } from './stop-with-parent';
import { availableParallelism } from 'node:os';

/** How npm starts a gateway in a shell that passes no signal on: `npm start` and `npx`. */
const IN_A_SHELL = new Set(['start', 'npx']);

async function main(): Promise<void> {
  const env = loadEnv(standaloneEnv);
  refuseEmbeddedParts(env);
  const log = createLogger({ service: 'standalone', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  const gateways = countGateways(env.PROCESSES, availableParallelism(), process.platform);
  if (gateways !== null) return startFamily(env, log, gateways);
  const release = holdDataDirectory(env.DATA_DIR);
  try {
    // Before anything is made that a failed start would lose.
    const taken = await takePorts(env);
    await start({ env, log, taken, release }).catch((error: unknown) => {
      taken.release();
      throw error;
    });
  } catch (error) {
    release();
    throw error;
  }
}

async function startFamily(env: StandaloneEnv, log: Logger, gateways: number): Promise<void> {
  const lock = await lockDataDirectory(env.DATA_DIR);
  const { METRICS_PORT: metricsPort, HOST: host, PORT: port } = env;
  if (metricsPort !== undefined) await checkPort({ port: metricsPort, host, setting: 'METRICS_PORT' });
  const shared = await sharePort({ port, host });
  const exit = (code: number): void => {
    lock.release();
    process.exit(code);
  };
  const askToStop = await runFamily({ env, log, gateways, shared, lockFd: lock.fd, exit });
  stopWithNpm(env, askToStop);
}

function stopWithNpm(env: StandaloneEnv, askToStop: (reason: string) => void): void {
  if (env.npm_lifecycle_event !== undefined && IN_A_SHELL.has(env.npm_lifecycle_event))
    stopWithParent(() => askToStop('the process that started the gateway has ended'));
}

async function takePorts({ HOST: host, PORT: port, METRICS_PORT: metricsPort }: StandaloneEnv): Promise<TakenPort> {
  if (metricsPort !== undefined) await checkPort({ port: metricsPort, host, setting: 'METRICS_PORT' });
  return takePort({ port, host });
}

type Start = { readonly env: StandaloneEnv; readonly log: Logger; readonly taken: TakenPort; readonly release: () => void };

async function start({ env, log, taken, release }: Start): Promise<void> {
  const secrets = openSecrets(env.DATA_DIR, env);
  const data = await openDataParts(env, log, { report });
  try {
    const key = await ensureFirstKey(data.database, readPeppers(secrets), env.BOOTSTRAP_API_KEY);
    // At once: what fails from here on must not take it along.
    process.stdout.write(`\n${describeKey(key)}\n\n`);
    const service = await startStandalone({ env, log, secrets, data, taken });
    const exit = (code: number): void => {
      release();
      process.exit(code);
    };
    const askToStop = stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit });
    stopWithNpm(env, askToStop);
    process.stdout.write(
      describeStart(
        {
          address: describeLocalAddress(env.HOST, service.port),
          metrics: describeLocalAddress(env.HOST, service.metricsPort),
          providers: describeProviders(service.providers),
          consoleLink: service.console?.offerLink(key?.value),
        },
        key,
      ),
    );
    // An operator at the terminal can correct a key; elsewhere the first request shows it.
    if (isForPeople(env.LOG_FORMAT)) void checkProviderKeys({ providers: service.providers, env: createEnvLookup(), log });
  } catch (error) {
    await data.close();
    throw error;
  }
}

function report(step: string): void {
  process.stdout.write(`weir: ${step}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`weir could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
