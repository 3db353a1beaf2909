import { createHash, createHmac } from 'node:crypto';

export type SigningKeys = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary keys. */
  readonly sessionToken: string | undefined;
};

export type SignableCall = {
  readonly method: 'POST' | 'GET';
  readonly url: string;
  /** Those to sign beside the host and the date; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type SigningScope = { readonly region: string; readonly service: string; readonly nowMs: number };

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** Signature version 4: the headers to add to the call. */
export function signRequest(call: SignableCall, keys: SigningKeys, scope: SigningScope): Record<string, string> {
  const url = new URL(call.url);
  const date = new Date(scope.nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const session = keys.sessionToken === undefined ? {} : { 'x-amz-security-token': keys.sessionToken };
  const added = { 'x-amz-date': date, ...session };
  const signed = Object.entries({ ...call.headers, host: url.host, ...added }).sort(([left], [right]) => compare(left, right));
  const names = signed.map(([name]) => name).join(';');
  const request = [
    call.method,
    encodePath(url.pathname),
    encodeQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}`),
    '',
    names,
    sha256(call.body),
  ].join('\n');
  const credential = `${date.slice(0, 8)}/${scope.region}/${scope.service}/aws4_request`;
  const text = [ALGORITHM, date, credential, sha256(request)].join('\n');
  const key = [date.slice(0, 8), scope.region, scope.service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  );
  const signature = hmac(key, text).toString('hex');
  const authorization = `${ALGORITHM} Credential=${keys.accessKeyId}/${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...added, authorization };
}

/** Segments are encoded once more, on top of how they stand in the address. */
function encodePath(path: string): string {
  return path.split('/').map(encodeStrictly).join('/');
}

function encodeQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort(compare)
    .join('&');
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}
