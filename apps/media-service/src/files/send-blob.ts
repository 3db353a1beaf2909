import type { BlobRecord, BlobStore } from '@weir/blob-store';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends the bytes of a blob, as fast as the caller takes them. What a browser must not run, it saves. */
export async function sendBlob(response: ServerResponse, record: BlobRecord, store: Pick<BlobStore, 'open'>): Promise<void> {
  const body = Readable.from(store.open(record), { objectMode: false });
  const first = await waitForFirst(body);
  response.setHeader('content-type', record.type);
  response.setHeader('content-length', record.size);
  response.setHeader('cache-control', 'private, max-age=0');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-disposition', `${record.type.startsWith('image/') ? 'inline' : 'attachment'}; ${encodeName(record.name)}`);
  if (first !== undefined) body.unshift(first);
  // The caller may leave, or the store break off: then the connection is cut, which is all that can still be said.
  await pipeline(body, response).catch(() => undefined);
}

/** Errors of opening come before anything was sent. */
async function waitForFirst(body: Readable): Promise<Buffer | undefined> {
  for (;;) {
    const chunk = body.read() as Buffer | null;
    if (chunk !== null) return chunk;
    if (body.readableEnded) return undefined;
    await new Promise<void>((resolve, reject) => {
      body.once('readable', resolve);
      body.once('end', resolve);
      body.once('error', reject);
    });
  }
}

/** For old browsers in ASCII, for all others whole. */
function encodeName(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${whole}`;
}
