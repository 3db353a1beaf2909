import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { join } from 'node:path';
import type { StandaloneEnv } from './env';
import { reportStep } from './report-step';

export type RunningPostgres = { readonly url: string; stop(): Promise<void> };

/**
 * Starts the embedded Postgres unless the settings name another one, and does `work` once its first program runs: most of
 * this program can be loaded meanwhile, which keeps a process from everything else. `port`: where the embedded one is to listen.
 */
export async function openPostgres<Loaded>(
  env: StandaloneEnv,
  work: () => Promise<Loaded>,
  port = 0,
): Promise<readonly [RunningPostgres, Loaded]> {
  if (env.DATABASE_URL !== undefined) return [{ url: env.DATABASE_URL, stop: () => Promise.resolve() }, await work()];
  reportStep('Starting Postgres …');
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const directory = join(env.DATA_DIR, 'postgres');
  const starting = startEmbeddedPostgres({ directory, port, log: reportStep, onBegun: begin });
  // One that runs already has nothing to begin.
  const working = Promise.race([begun, starting]).then(work);
  return Promise.all([starting, working]);
}
