import { checkPort, sharePort } from '@weir/http-server';
import { createLogger } from '@weir/telemetry';
import type { StandaloneEnv } from '../env';
import { lockDataDirectory } from '../hold-data-directory';
import { stopWithNpm } from '../stop-with-parent';
import { runFamily } from './run-family';

/** One process that keeps the books and so many gateways, which this one starts and keeps. */
export async function startFamily(env: StandaloneEnv, gateways: number): Promise<void> {
  const log = createLogger({ service: 'standalone', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  const lock = await lockDataDirectory(env.DATA_DIR);
  const { METRICS_PORT: metricsPort, HOST: host, PORT: port } = env;
  if (metricsPort !== undefined) await checkPort({ port: metricsPort, host, setting: 'METRICS_PORT' });
  const shared = await sharePort({ port, host });
  const exit = (code: number): void => {
    lock.release();
    process.exit(code);
  };
  stopWithNpm(env, await runFamily({ env, log, gateways, shared, lock, exit }));
}
