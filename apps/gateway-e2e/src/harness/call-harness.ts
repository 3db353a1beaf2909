export type HarnessReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Empty for anything but a JSON object. */
  readonly json: Record<string, unknown>;
};

/** `route` is a method and a path: "GET /v1/models". */
export type CallHarness = (route: string, body?: unknown, headers?: Record<string, string>) => Promise<HarnessReply>;

/** Calls a gateway by plain HTTP with its administrator key, or the one in `headers`. */
export function createCallHarness(harness: { readonly url: string; readonly managementUrl: string; readonly apiKey: string }): CallHarness {
  return async (route, body, headers = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const address = path.startsWith('/v1/manage') ? harness.managementUrl : harness.url;
    const reply = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true && text.startsWith('{');
    const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { status: reply.status, headers: Object.fromEntries(reply.headers), text, json };
  };
}

/** Calls again until the answer is as wanted, for settings that are in force within five seconds; rejects after that. */
export async function callUntil(call: () => Promise<HarnessReply>, isWanted: (reply: HarnessReply) => boolean): Promise<HarnessReply> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const reply = await call();
    if (isWanted(reply)) return reply;
    if (Date.now() > deadline) throw new Error(`after 5 s the answer still is ${reply.status}: ${reply.text.slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
