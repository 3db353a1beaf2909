import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODELS, startSimProvider } from '@weir/chaos';
import { startStandalone, type Harness } from '@weir/gateway-e2e';
import { POLICY } from './request-kinds';
import type { Keys } from './start-soak-load';

type SoakHarness = { readonly harness: Harness; readonly pid: number; readonly keys: Keys; stop(): Promise<void> };

/** Never reached: it makes every request hold money. */
const MONTHLY_LIMIT_USD = 1_000_000;
/** Nothing listens there: what a policy asks first always fails. */
const NOWHERE = 'http://127.0.0.1:9/v1';

/** The standalone gateway on a fresh data directory before a simulated provider, with keys, a policy and a guardrail. */
export async function startSoakHarness(gatewayEnv: Readonly<Record<string, string>>): Promise<SoakHarness> {
  const directory = mkdtempSync(join(tmpdir(), 'weir-soak-'));
  const provider = await startSimProvider(join(directory, 'oracle.jsonl'));
  const url = `http://127.0.0.1:${provider.port}`;
  const harness = await startStandalone({
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      CONNECTIONS_PER_ADDRESS_MAX: '5000',
      OPENAI_API_KEY: 'sim',
      OPENAI_BASE_URL: `${url}/abort/v1`,
      ANTHROPIC_API_KEY: 'sim',
      ANTHROPIC_BASE_URL: `${url}/abort`,
      GROQ_API_KEY: 'sim',
      GROQ_BASE_URL: NOWHERE,
      ...gatewayEnv,
    },
  });
  const stop = async (): Promise<void> => {
    await harness.process.terminate();
    await provider.stop();
    rmSync(harness.dataDir, { recursive: true, force: true });
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    return { harness, pid: harness.process.child.pid ?? NaN, keys: await furnish(harness), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function furnish(harness: Harness): Promise<Keys> {
  const keys = {
    plain: await createKey(harness, 'plain'),
    guarded: await createKey(harness, 'guarded'),
    leaving: await createKey(harness, 'leaving'),
  };
  await post(harness, '/v1/manage/policy', {
    name: POLICY,
    strategy: 'fallback',
    models: [MODELS.drained.id, MODELS.chat.id, MODELS.messages.id],
  });
  const detectors = ['email', 'secret'];
  await post(harness, '/v1/manage/guardrail', { name: POLICY, api_key_id: keys.guarded.id, detectors, action: 'mask', stage: 'both' });
  return keys;
}

async function createKey(harness: Harness, name: string): Promise<{ id: string; apiKey: string }> {
  const body = { name, monthly_limit: MONTHLY_LIMIT_USD, permissions: { completions: 'write' } };
  const made = await post(harness, '/v1/manage/apikey', body);
  return { id: String(made['api_key_id']), apiKey: String(made['api_key']) };
}

async function post({ managementUrl, apiKey }: Harness, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${managementUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (reply.status !== 201) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}
