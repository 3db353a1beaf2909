const BYTES_MAX = 1024 * 1024;
const TIMEOUT_MS = 10_000;

type Asked = { readonly [Name in 'method' | 'headers' | 'body']?: RequestInit[Name] | undefined };

/**
 * How the provider is called: for ten seconds at most, never on to where it redirects, and no more than a mebibyte is read.
 * The operator has named it, so its address need not be public.
 */
export async function fetchFromIssuer(
  url: string,
  { method = 'GET', headers = {}, body }: Asked,
  timeoutMs = TIMEOUT_MS,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const reply = await fetch(url, { method, headers, ...(body == null ? {} : { body }), redirect: 'manual', signal });
  const bytes = await readBounded(reply);
  const { status, statusText } = reply;
  // A status that has no body takes none, not even an empty one.
  return new Response(bytes.length === 0 ? null : bytes, { status, statusText, headers: reply.headers });
}

async function readBounded(reply: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of reply.body ?? []) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > BYTES_MAX) throw new Error('the reply of the identity provider is too large');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
