import { SignatureV4 } from '@smithy/signature-v4';
import { createHash, createHmac } from 'node:crypto';

type SigningKeys = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary keys. */
  readonly sessionToken: string | undefined;
};

type SignableCall = { readonly url: string; readonly body: string | Buffer };
type Signer = (call: SignableCall, region: string, nowMs?: number) => Promise<Record<string, string>>;

const SERVICE = 'bedrock';

/** Signature version 4 with an account's keys: the headers to add to a call. */
export function createSigner({ accessKeyId, secretAccessKey, sessionToken }: SigningKeys): Signer {
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const signer = new SignatureV4({ credentials, region: '', service: SERVICE, sha256: NodeSha256 });
  return async (call, region, nowMs = Date.now()) => {
    const { protocol, hostname, host, pathname } = new URL(call.url);
    const headers = { host, 'content-type': 'application/json' };
    const unsigned = { method: 'POST', protocol, hostname, path: pathname, headers, body: call.body };
    const signed = await signer.sign(unsigned, { signingRegion: region, signingDate: new Date(nowMs) });
    return Object.fromEntries(Object.entries(signed.headers).filter(([name]) => !(name in headers)));
  };
}

/** An API key of the service needs no signature. */
export function bearer(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}

type Sha256 = ConstructorParameters<typeof SignatureV4>[0]['sha256'];

/** The runtime's own hash: the one in JavaScript takes milliseconds over a long prompt. */
const NodeSha256 = function (secret?: string | Uint8Array) {
  const hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  return {
    update: (data: string | Uint8Array) => void hash.update(data),
    digest: () => Promise.resolve(new Uint8Array(hash.digest())),
  };
} as unknown as Sha256; // the library calls it with `new`, which returns the object as it is
