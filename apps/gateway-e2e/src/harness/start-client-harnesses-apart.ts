import { startFakeUpstream } from '@weir/testing';
import { describeUpstream, pointAt, type OpenClientHarness } from './client-harness';
import { startDistributed } from './start-distributed';
import { takeRealParts } from './take-real-parts';

export type ClientHarnessesApart = {
  /** The gateway for one more suite, with a key of its own that counts nothing but the suite. */
  readonly open: OpenClientHarness;
  stop(): Promise<void>;
};

/**
 * One process per service with real parts, started once and shared by suites that run one after another. `createTopics`
 * makes the bus ready.
 */
export async function startClientHarnessesApart(createTopics: (brokers: string) => Promise<unknown>): Promise<ClientHarnessesApart> {
  const parts = await takeRealParts();
  await createTopics(parts.brokers);
  const upstream = await startFakeUpstream();
  const harness = await startDistributed(parts, pointAt(upstream));
  return {
    open: async () => ({
      url: harness.url,
      managementUrl: harness.managementUrl,
      apiKey: await createKey(harness.managementUrl, harness.apiKey),
      countsKeyOnly: true,
      ...describeUpstream(upstream),
      stop: () => Promise.resolve(),
    }),
    stop: async () => {
      await harness.stop();
      await upstream.stop();
      await parts.stop();
    },
  };
}

async function createKey(managementUrl: string, administratorKey: string): Promise<string> {
  const reply = await fetch(`${managementUrl}/v1/manage/apikey`, {
    method: 'POST',
    headers: { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'a suite', permissions: { completions: 'write' } }),
  });
  if (reply.status !== 201) throw new Error(`no key: ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { api_key: string }).api_key;
}
