import type { UsageResponse } from '@weir/contracts';

export type UsageSource = {
  /** Of the management interface. */
  readonly managementUrl: string;
  readonly apiKey: string;
  /** Others use the organization too: only what the key has used is read. */
  readonly countsKeyOnly?: boolean;
};

/** Today's usage, by the parameters given. */
export async function readUsage(harness: UsageSource, parameters: Record<string, string | string[]> = {}): Promise<UsageResponse> {
  const query = new URLSearchParams();
  if (parameters['start'] === undefined) query.set('start', `${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
  for (const [name, value] of Object.entries(parameters)) for (const each of [value].flat()) query.append(name, each);
  const reply = await fetch(`${harness.managementUrl}/v1/manage/${harness.countsKeyOnly === true ? 'apikey/self' : 'org'}/usage?${query}`, {
    headers: { authorization: `Bearer ${harness.apiKey}` },
  });
  if (reply.status !== 200) throw new Error(`usage answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as UsageResponse;
}

/** Waits until the day's request count has reached `requests`; returns the day's entry. Rejects after 20 s. */
export async function waitForRequests(harness: UsageSource, requests: number, parameters: Record<string, string | string[]> = {}) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const entries = Object.values((await readUsage(harness, parameters)).usage);
    const entry = entries[0];
    if (entry !== undefined && entry.total_requests >= requests) return entry;
    if (Date.now() > deadline) throw new Error(`usage still shows ${entry?.total_requests ?? 0} of ${requests} requests after 20 s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
