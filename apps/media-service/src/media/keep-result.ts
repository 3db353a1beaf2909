import type { BlobStore } from '@weir/blob-store';
import { signFileLink } from '@weir/contracts';
import type { WatchedRequest } from '@weir/exchange';

type MadePicture = { readonly bytes: Buffer; readonly type: string };

/** Keeps a picture for a while; resolves to the address it can be fetched at without a key. */
export type KeepResult = (picture: MadePicture, request: Pick<WatchedRequest, 'forwarded'>) => Promise<string>;

export type KeepParts = {
  readonly store: Pick<BlobStore, 'put'>;
  readonly linkSecret: string;
  /** How long an address works. */
  readonly ttlMs: number;
  /** Where callers reach the gateway; absent: as the request says. */
  readonly publicUrl?: string | undefined;
  readonly now: () => number;
};

export function createKeepResult({ store, linkSecret, ttlMs, publicUrl, now }: KeepParts): KeepResult {
  return async ({ bytes, type }, { forwarded }) => {
    const { organizationId } = forwarded.passport.caller;
    const expiresAtMs = now() + ttlMs;
    const name = `image.${type.split('/')[1] ?? 'png'}`;
    const { id } = await store.put({ organizationId, kind: 'result', name, type, expiresAtMs, bytes });
    const query = signFileLink({ organizationId, fileId: id, expiresAtMs }, linkSecret);
    return `${publicUrl ?? addressOf(forwarded.headers)}/v1/files/${id}/content?${query}`;
  };
}

/** As the caller knows the gateway. */
function addressOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  const host = headers['x-weir-host'] ?? headers['host'];
  const isSecure = headers['x-forwarded-proto'] === 'https';
  return `${isSecure ? 'https' : 'http'}://${typeof host === 'string' ? host : 'localhost'}`;
}
