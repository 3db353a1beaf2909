import { makeTestFolder } from '@weir/testing';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './run-process';

const FOLDER = join(ROOT, 'clients', 'usage-events');
const run = promisify(execFile);

/** What the example consumers print. */
export type ConsumedUsage = {
  readonly events: number;
  readonly requests: number;
  readonly repeated: number;
  readonly lost: number;
  readonly billed_usd: string;
  readonly is_complete: boolean;
  readonly writers: Readonly<Record<string, { readonly complete_to: number; readonly missing: readonly (readonly [number, number])[] }>>;
};

/** Reads the topic to its end and prints what was found; the state goes on from one call to the next. */
export type UsageConsumer = (brokers: string, stateFile: string) => Promise<ConsumedUsage>;

/** The example in TypeScript, compiled. */
export async function compileUsageConsumer(): Promise<UsageConsumer> {
  await run(process.execPath, [join(ROOT, 'tools', 'setup', 'compile.mjs'), '-p', join(FOLDER, 'typescript', 'tsconfig.json')]);
  return consumeWith(process.execPath, join(FOLDER, 'typescript', 'dist', 'consume-usage.js'));
}

/** The example in Python, with what it needs in an environment of its own. */
export async function installUsageConsumer(): Promise<UsageConsumer> {
  const environment = makeTestFolder('usage-consumer');
  const python = join(environment, 'bin', 'python');
  await run(process.env['TEST_PYTHON'] ?? 'python3', ['-m', 'venv', environment]);
  const requirements = ['--require-hashes', '--requirement', join(FOLDER, 'python', 'requirements.txt')];
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements]);
  return consumeWith(python, join(FOLDER, 'python', 'consume_usage.py'));
}

/** Its exit code says whether something is missing, and so does what it prints. */
function consumeWith(program: string, script: string): UsageConsumer {
  if (!existsSync(script)) throw new Error(`${script} is not there`);
  return async (brokers, stateFile) => {
    const env = { PATH: process.env['PATH'], KAFKA_BROKERS: brokers, STATE_FILE: stateFile };
    const { stdout } = await run(program, [script], { env }).catch((error: { stdout?: string; stderr?: string }) => {
      if (error.stdout?.startsWith('{') === true) return { stdout: error.stdout };
      throw new Error(`the consumer failed: ${error.stderr ?? ''}`, { cause: error });
    });
    return JSON.parse(stdout) as ConsumedUsage;
  };
}
