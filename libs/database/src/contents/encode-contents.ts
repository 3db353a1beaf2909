import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** What a caller sent and got. Headers are never part of it: they hold secrets. */
export type RequestContents = {
  readonly request: ContentPart;
  readonly response: ContentPart & {
    readonly status: number;
    readonly contentType: string | null;
  };
};

/** `isCut`: more of it came than is kept, or the caller left before its end. */
type ContentPart = { readonly body: string; readonly isCut: boolean };

const [compress, expand] = [promisify(gzip), promisify(gunzip)];
/** Far above what is kept of a request, so that no row can fill the memory of the process that reads it. */
const EXPANDED_BYTES_MAX = 8 * 1024 * 1024;

/** Text before it is sealed: sealed bytes do not get smaller. */
export function encodeContents({ request, response }: RequestContents): Promise<Buffer> {
  const { body, status, contentType, isCut } = response;
  return compress(
    JSON.stringify({
      version: 1,
      request: { body: request.body, is_cut: request.isCut },
      response: { body, status, content_type: contentType, is_cut: isCut },
    }),
  );
}

type Encoded = {
  readonly request: { readonly body: string; readonly is_cut: boolean };
  readonly response: { readonly body: string; readonly is_cut: boolean; readonly status: number; readonly content_type: string | null };
};

/** Of bytes that were sealed, and so are as we wrote them. */
export async function decodeContents(bytes: Uint8Array): Promise<RequestContents> {
  const text = await expand(bytes, { maxOutputLength: EXPANDED_BYTES_MAX });
  const { request, response } = JSON.parse(text.toString('utf8')) as Encoded;
  return {
    request: { body: request.body, isCut: request.is_cut },
    response: { body: response.body, isCut: response.is_cut, status: response.status, contentType: response.content_type },
  };
}
