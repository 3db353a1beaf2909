import { startFakeUpstream } from '@weir/testing';
import { describeUpstream, pointAt, type ClientHarness } from './client-harness';
import { startStandalone } from './start-standalone';

/** A gateway of its own for one suite, in one process. */
export async function startClientHarness(): Promise<ClientHarness> {
  const upstream = await startFakeUpstream();
  const { url, managementUrl, apiKey, process } = await startStandalone({ env: pointAt(upstream) });
  return {
    url,
    managementUrl,
    apiKey,
    ...describeUpstream(upstream),
    stop: async () => {
      const code = await process.terminate();
      await upstream.stop();
      if (code !== 0) throw new Error(`the gateway ended with ${String(code)}:\n${process.output()}`);
    },
  };
}
