import { planRequest, type ClientRequest } from './client-request';
import { createAgent, sendRequest, type ClientResult, type Target } from './send-request';

export type Load = {
  /** Of every request that has ended. */
  readonly results: readonly ClientResult[];
  /** Stops sending and resolves when every request has ended. */
  stop(): Promise<readonly ClientResult[]>;
};

const TICK_MS = 20;

/**
 * Sends requests at a steady rate whether or not replies come, as real callers do. Seeds count up from `firstSeed`, so
 * every request can be sent again alone.
 */
export function startLoad(
  target: Target,
  { perSecond, firstSeed, plan = planRequest }: { perSecond: number; firstSeed: number; plan?: (seed: number) => ClientRequest },
): Load {
  const agent = createAgent();
  const results: ClientResult[] = [];
  const running = new Set<Promise<void>>();
  const startedAt = Date.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((Date.now() - startedAt) * perSecond) / 1000; sent < due; sent += 1) {
      const request = plan(firstSeed + sent);
      const ended: Promise<void> = sendRequest(target, request, agent).then((result) => {
        results.push(result);
        running.delete(ended);
      });
      running.add(ended);
    }
  }, TICK_MS);
  return {
    results,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(running);
      agent.destroy();
      return results;
    },
  };
}

/** Sends these requests at once and resolves when all have ended. */
export async function sendAll(target: Target, requests: readonly ClientRequest[]): Promise<ClientResult[]> {
  const agent = createAgent();
  const results = await Promise.all(requests.map((request) => sendRequest(target, request, agent)));
  agent.destroy();
  return results;
}
