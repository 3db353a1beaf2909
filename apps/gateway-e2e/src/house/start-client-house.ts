import { loadCapture, replyFromCapture, startFakeUpstream, type FakeUpstream, type RecordedRequest } from '@weir/testing';
import { startStandalone, type House } from './start-standalone';

/** A gateway for official clients: the sandbox, and the vendors' accounts on a fake upstream. */
export type ClientHouse = House & {
  readonly upstream: FakeUpstream;
  /** Answers the next upstream request with a captured reply; of a cassette with the exchange asked for. */
  playCapture(path: string, exchange?: number): void;
  /** What the upstream was asked last. */
  readLastCall(): RecordedRequest & { readonly json: Record<string, unknown> };
  stop(): Promise<void>;
};

export async function startClientHouse(): Promise<ClientHouse> {
  const upstream = await startFakeUpstream();
  const house = await startStandalone({
    env: {
      OPENAI_API_KEY: 'upstream-key',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      ANTHROPIC_API_KEY: 'upstream-key',
      ANTHROPIC_BASE_URL: upstream.url,
    },
  });
  return {
    ...house,
    upstream,
    playCapture: (path, exchange) => upstream.reply(replyFromCapture(loadCapture(path, exchange))),
    readLastCall: () => {
      const last = upstream.requests.at(-1);
      if (last === undefined) throw new Error('the upstream was not asked anything');
      return { ...last, json: JSON.parse(last.bodyText) as Record<string, unknown> };
    },
    stop: async () => {
      await house.process.terminate();
      await upstream.stop();
    },
  };
}
