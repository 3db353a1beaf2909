const BYTES_MAX = 1024 * 1024;

/** The body of a reply as JSON; undefined for an empty one. Throws for one that is no JSON or larger than a mebibyte. */
export async function readBoundedJson(reply: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of reply.body ?? []) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > BYTES_MAX) throw new Error('the reply is too large');
    chunks.push(bytes);
  }
  if (length === 0) return undefined;
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}
