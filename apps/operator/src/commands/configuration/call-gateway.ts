import { UsageError, type CommandTools } from '../command';

/** An apply of a thousand objects takes seconds. */
const TIMEOUT_MS = 120_000;

type Asked = { readonly method: 'GET' | 'POST' | 'PUT'; readonly path: string; readonly body?: unknown };

/** Calls the management interface of a gateway as its administrator. Throws what the gateway says when it refuses. */
export async function callGateway({ gateway }: Pick<CommandTools, 'gateway'>, { method, path, body }: Asked): Promise<Response> {
  const { url, apiKey } = gateway();
  const reply = await send(url, {
    method,
    path,
    headers: { authorization: `Bearer ${apiKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (reply.ok) return reply;
  const text = await reply.text();
  const message = `${readMessage(text) ?? `the gateway at ${url} answered ${reply.status}`}`;
  throw reply.status === 400 ? new UsageError(message) : new Error(message);
}

type Sent = { readonly method: string; readonly path: string; readonly headers: Record<string, string>; readonly body?: string };

async function send(url: string, { path, ...request }: Sent): Promise<Response> {
  try {
    return await fetch(url + path, { ...request, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`the gateway at WEIR_URL (${url}) cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause: error,
    });
  }
}

function readMessage(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly error?: { readonly message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}
