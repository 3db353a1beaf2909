import { loadEnv } from '@weir/config';
import { createLogger } from '@weir/telemetry';
import { clientEnv, operatorEnv } from '../env';
import { openDeployment } from '../open-deployment';
import { runCommandLine } from '../run-command-line';

export type Outcome = { code: number; printed: string; complaint: string; json: Record<string, unknown> };

const LOG = createLogger({ service: 'weir', level: 'silent' });

/** Runs a command line as it is typed, in these settings. */
export async function runWeir(line: string | readonly string[], env: Record<string, string>): Promise<Outcome> {
  const outcome = { printed: '', complaint: '' };
  const code = await runCommandLine({
    args: typeof line === 'string' ? line.split(' ') : line,
    open: async () => openDeployment(loadEnv(operatorEnv, env), LOG),
    dataDirectory: () => loadEnv(operatorEnv, env).DATA_DIR,
    accountsFile: () => loadEnv(operatorEnv, env).PROVIDER_ACCOUNTS_FILE,
    client: {
      gateway: () => {
        const { WEIR_URL: url, WEIR_API_KEY: apiKey } = loadEnv(clientEnv, env);
        return { url, apiKey };
      },
      variable: (name) => env[name],
      isTerminal: false,
      isColoured: false,
    },
    print: (text) => (outcome.printed += text),
    complain: (text) => (outcome.complaint += text),
  });
  return { code, ...outcome, json: outcome.printed.startsWith('{') ? (JSON.parse(outcome.printed) as Record<string, unknown>) : {} };
}
