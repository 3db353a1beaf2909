import { Agent, request, type Dispatcher } from 'undici';

const agent = new Agent({ connections: 64, pipelining: 1 });

/** Sends one request as the bearer of `key`; returns the status and the JSON body, `{}` when there is none. */
export async function callService(
  url: string,
  { key, method = 'GET', body }: { key: string; method?: Dispatcher.HttpMethod; body?: object },
): Promise<{ status: number; json: Record<string, unknown> }> {
  const reply = await request(url, {
    method,
    dispatcher: agent,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.body.text();
  return { status: reply.statusCode, json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

/** What an edge says of a key: 200 for one it lets in. */
export async function askEdge(url: string, key: string): Promise<number> {
  return (await callService(`${url}/v1/auth/check`, { key })).status;
}

/** Closes what the calls of this process left open. */
export async function closeCalls(): Promise<void> {
  await agent.close();
}
