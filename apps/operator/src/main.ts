// The operator's tool `weir`: one command, its output on standard output, complaints on standard error.
import { loadEnv } from '@weir/config';
import { createLogger } from '@weir/telemetry';
import { clientEnv, operatorEnv, readVariable } from './env';
import { openDeployment } from './open-deployment';
import { runCommandLine } from './run-command-line';

async function main(): Promise<void> {
  process.exitCode = await runCommandLine({
    args: process.argv.slice(2),
    open: async () => openDeployment(loadEnv(operatorEnv), createLogger({ service: 'weir', level: 'warn', destination: process.stderr })),
    dataDirectory: () => loadEnv(operatorEnv).DATA_DIR,
    accountsFile: () => loadEnv(operatorEnv).PROVIDER_ACCOUNTS_FILE,
    client: {
      gateway: () => {
        const { WEIR_URL: url, WEIR_API_KEY: apiKey } = loadEnv(clientEnv);
        return { url, apiKey };
      },
      variable: readVariable,
      isTerminal: process.stdout.isTTY,
      isColoured: process.stdout.isTTY && (readVariable('NO_COLOR') ?? '') === '',
    },
    print: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
  });
}

void main();
