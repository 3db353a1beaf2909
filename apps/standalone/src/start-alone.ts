import { checkPort, takePort, type TakenPort } from '@weir/http-server';
import { createLogger } from '@weir/telemetry';
import type { StandaloneEnv } from './env';
import { holdDataDirectory } from './hold-data-directory';
import { openPostgres } from './open-postgres';
import { openSecrets } from './open-secrets';
import type { AloneParts } from './serve-alone';

/** One process that does everything: port → embedded parts → key → compose → serve → drain. */
export async function startAlone(env: StandaloneEnv): Promise<void> {
  const log = createLogger({ service: 'standalone', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  const lock = holdDataDirectory(env.DATA_DIR);
  try {
    // Before anything is made that a failed start would lose.
    const taken = await takePorts(env);
    await start({ env, log, taken, lock }).catch((error: unknown) => {
      taken.release();
      throw error;
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function takePorts({ HOST: host, PORT: port, METRICS_PORT: metricsPort }: StandaloneEnv): Promise<TakenPort> {
  if (metricsPort !== undefined) await checkPort({ port: metricsPort, host, setting: 'METRICS_PORT' });
  return takePort({ port, host });
}

async function start(parts: Omit<AloneParts, 'secrets' | 'postgres'>): Promise<void> {
  const { env } = parts;
  const secrets = openSecrets(env.DATA_DIR, env);
  const [postgres, { serveAlone }] = await openPostgres(env, () => import('./serve-alone.js'));
  await serveAlone({ ...parts, secrets, postgres });
}
