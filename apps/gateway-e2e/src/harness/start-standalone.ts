import { makeTestFolder } from '@weir/testing';
import { runProcess, type RunningProcess, type RunOptions } from './run-process';

export type Harness = {
  /** Of the gateway. */
  readonly url: string;
  /** Of the management interface: the same address in standalone. */
  readonly managementUrl: string;
  /** Where `/metrics` is. */
  readonly metricsUrl: string;
  readonly apiKey: string;
  readonly dataDir: string;
  readonly process: RunningProcess;
};

/** What a user has who sets nothing. */
export const AS_BY_DEFAULT = { PROCESSES: '' };

/** Starts the gateway as `npm start` does but in one process, in a fresh data directory unless one is given. */
export async function startStandalone(
  options: RunOptions & { readonly env?: Record<string, string>; readonly dataDir?: string; readonly script?: string } = {},
): Promise<Harness> {
  const dataDir = options.dataDir ?? makeTestFolder('e2e');
  const apiKey = 'e2e-administrator-key-0123456789';
  const settings = {
    PORT: '0',
    METRICS_PORT: '0',
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: apiKey,
    DRAIN_TIMEOUT_MS: '3000',
    // Most specs are about something else, and several processes take longer to start.
    PROCESSES: '1',
    ...options.env,
  };
  const process = runProcess(options.script ?? 'apps/standalone/dist/main.js', settings, options);
  const [, url = ''] = await process.waitFor(/ready at (http:\/\/\S+)/);
  const [, metricsUrl = ''] = await process.waitFor(/Metrics for Prometheus at (http:\/\/\S+)\/metrics/);
  return { url, managementUrl: url, metricsUrl, apiKey, dataDir, process };
}
