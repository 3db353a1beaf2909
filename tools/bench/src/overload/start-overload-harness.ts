import { execFileSync, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, startStandalone, type Harness } from '@weir/gateway-e2e';
import { nextMessage, startListening, stopChild, type Listening } from '../measure/start-child';
import type { ReplyMix, OverloadTarget } from './kinds';
import { pinProcess } from './pin-process';

export type OverloadHarness = OverloadTarget & {
  readonly harness: Harness;
  stop(): Promise<void>;
};

export type OverloadHarnessOptions = {
  readonly mix: ReplyMix;
  /** Content frames of a stream that is answered at once. */
  readonly frames: number;
  /** How long a provider takes until it begins to answer at once. */
  readonly providerMs: number;
  readonly gatewayEnv: Readonly<Record<string, string>>;
  /** Whether the gateway has a core for itself, where the system can do that; it has unless it is false. */
  readonly isPinned?: boolean;
};

/** Every write costs a provider something, which is to cost as little as possible. */
const FRAMES_AT_ONCE = '25';

/** The gateway has a core of its own; provider and generator share another. */
const GATEWAY_CORE = 0;
export const OTHER_CORE = 1;

/** The standalone gateway before a provider that costs as little as possible. */
export async function startOverloadHarness({ gatewayEnv, isPinned = true, ...options }: OverloadHarnessOptions): Promise<OverloadHarness> {
  const upstream = await startProvider(options);
  if (isPinned) pinProcess(upstream.pid, OTHER_CORE);
  const harness = await startStandalone({
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      UPSTREAM_CONNECTIONS_MAX: '8000',
      OPENAI_API_KEY: 'bench',
      OPENAI_BASE_URL: `http://127.0.0.1:${upstream.port}/v1`,
      ...gatewayEnv,
    },
  });
  const stop = async (): Promise<void> => {
    await harness.process.terminate();
    await upstream.stop();
    rmSync(harness.dataDir, { recursive: true, force: true });
  };
  try {
    await becomePaying(harness);
    const keys = { paying: harness.apiKey, unpaid: createOrganization(harness) };
    if (isPinned) pinProcess(harness.process.child.pid ?? NaN, GATEWAY_CORE);
    return { harness, port: Number(new URL(harness.url).port), keys, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startProvider({
  mix,
  frames,
  providerMs,
}: Omit<OverloadHarnessOptions, 'gatewayEnv' | 'isPinned'>): Promise<Omit<Listening, 'child'>> {
  if (mix !== 'models') return startListening('fake-upstream', [String(frames), String(providerMs), FRAMES_AT_ONCE]);
  const child = fork(join(__dirname, 'paced-provider.js'));
  const { port } = await nextMessage<{ port: number }>(child, 'paced provider');
  return { pid: child.pid as number, port, stop: () => stopChild(child) };
}

async function becomePaying({ managementUrl, apiKey }: Harness): Promise<void> {
  const reply = await fetch(`${managementUrl}/v1/manage/org`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tier: 'paying' }),
  });
  if (reply.status !== 204) throw new Error(`the organization answered ${reply.status}: ${await reply.text()}`);
}

function createOrganization({ dataDir }: Harness): string {
  const args = ['apps/operator/bin/weir.cjs', 'organization', 'create', '--name', 'unpaid', '--json'];
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const made = JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' })) as { api_key: string };
  return made.api_key;
}
