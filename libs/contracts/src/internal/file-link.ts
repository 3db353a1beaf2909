import { createHmac, timingSafeEqual } from 'node:crypto';

/** Which kept file may be read, whose it is, and until when. */
type FileLink = { readonly organizationId: string; readonly fileId: string; readonly expiresAtMs: number };

const LABEL = 'weir file link';

/** The query of an address under which a kept file can be read without a key: `expires=<unix seconds>&signature=<owner>.<HMAC-SHA256>`. */
export function signFileLink(link: FileLink, secret: string): string {
  const expires = Math.floor(link.expiresAtMs / 1000);
  const owner = Buffer.from(link.organizationId).toString('base64url');
  return `expires=${expires}&signature=${owner}.${sign({ owner, fileId: link.fileId, expires }, secret)}`;
}

/** Reads such a query back: whose file it is; undefined when the signature is wrong or the time is over. */
export function readFileLink(
  fileId: string,
  query: URLSearchParams,
  { secret, nowMs }: { secret: string; nowMs: number },
): string | undefined {
  const expires = query.get('expires') ?? '';
  const [owner = '', given = ''] = (query.get('signature') ?? '').split('.');
  if (!/^\d{1,12}$/.test(expires) || owner === '') return undefined;
  const expected = Buffer.from(sign({ owner, fileId, expires: Number(expires) }, secret));
  const presented = Buffer.from(given);
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
  return Number(expires) * 1000 > nowMs ? Buffer.from(owner, 'base64url').toString() : undefined;
}

type Signed = { readonly owner: string; readonly fileId: string; readonly expires: number };

function sign({ owner, fileId, expires }: Signed, secret: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([LABEL, owner, fileId, expires]))
    .digest('base64url');
}
