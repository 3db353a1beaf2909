import { loadCapture, replyFromCapture, type FakeUpstream, type RecordedRequest } from '@weir/testing';
import type { UsageSource } from './read-usage';

/** A gateway as the suites of official clients see it, in any shape: the sandbox, and the vendors' accounts on a fake upstream. */
export type ClientHarness = UsageSource & {
  /** Of the gateway. */
  readonly url: string;
  readonly upstream: FakeUpstream;
  /** Replies to the next upstream request with a captured reply; of a cassette, with the exchange asked for. */
  playCapture(path: string, exchange?: number): void;
  /** What the upstream was asked last. */
  readLastCall(): RecordedRequest & { readonly json: Record<string, unknown> };
  stop(): Promise<void>;
};

export type OpenClientHarness = () => Promise<ClientHarness>;

/** Settings with which a gateway finds the vendors on a fake upstream, and may fetch files from it. */
export function pointAt(upstream: FakeUpstream): Record<string, string> {
  return {
    OPENAI_API_KEY: 'upstream-key',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    ANTHROPIC_API_KEY: 'upstream-key',
    ANTHROPIC_BASE_URL: upstream.url,
    FETCH_PORTS: `80,443,${upstream.port}`,
    FETCH_PRIVATE_NETWORKS: '127.0.0.1/32',
  };
}

/** What a suite does with the upstream of its harness. */
export function describeUpstream(upstream: FakeUpstream): Pick<ClientHarness, 'upstream' | 'playCapture' | 'readLastCall'> {
  return {
    upstream,
    playCapture: (path, exchange) => upstream.reply(replyFromCapture(loadCapture(path, exchange))),
    readLastCall: () => {
      const last = upstream.requests.at(-1);
      if (last === undefined) throw new Error('the upstream was not asked anything');
      return { ...last, json: JSON.parse(last.bodyText) as Record<string, unknown> };
    },
  };
}
