// Runs the whole gateway in one process: env → embedded parts → compose → listen → drain. What `npm start` runs.
import { EnvError, loadEnv } from '@weir/config';
import { stopOnSignals } from '@weir/http-server';
import { createLogger } from '@weir/telemetry';
import { startHouse } from './compose';
import { ensureFirstKey } from './ensure-first-key';
import { standaloneEnv } from './env';
import { holdDataDirectory } from './hold-data-directory';
import { openDataParts } from './open-data-parts';
import { openSecrets, readPeppers } from './open-secrets';
import { describeStart } from './print-banner';
import { stopWithParent } from './stop-with-parent';

async function main(): Promise<void> {
  const env = loadEnv(standaloneEnv);
  const log = createLogger({ service: 'standalone', level: env.LOG_LEVEL });
  const release = holdDataDirectory(env.DATA_DIR);
  const secrets = openSecrets(env.DATA_DIR, env.SEALING_KEY);
  const data = await openDataParts(env, log, tell);
  try {
    const key = await ensureFirstKey(data.database, readPeppers(secrets), env.BOOTSTRAP_API_KEY);
    const service = await startHouse({ env, log, secrets, data });
    const exit = (code: number): void => {
      release();
      process.exit(code);
    };
    stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit });
    if (env.npm_lifecycle_event === 'start') stopWithParent(() => process.kill(process.pid, 'SIGTERM'));
    const host = env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST;
    process.stdout.write(
      describeStart({ address: `http://${host}:${service.port}`, metrics: `http://${host}:${service.metricsPort}` }, key),
    );
  } catch (error) {
    await data.close();
    release();
    throw error;
  }
}

function tell(step: string): void {
  process.stdout.write(`weir: ${step}\n`);
}

main().catch((error: unknown) => {
  const text = error instanceof EnvError || error instanceof Error ? error.message : String(error);
  process.stderr.write(`weir could not start: ${text}\n`);
  process.exit(1);
});
