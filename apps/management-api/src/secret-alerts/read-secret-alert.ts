import { hideApiKeys } from '@weir/access';
import { GatewayError } from '@weir/errors';
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';

/** One place where a token was found. */
export type ExposedToken = {
  readonly token: string;
  readonly type: string;
  readonly source: string | null;
  /** Without user names, parameters and whatever looks like a key; null where the report names none. */
  readonly url: string | null;
};

const REPORTED_MAX = 5_000;
const URL_LENGTH_MAX = 500;
const NAME = z.string().max(200);

const alert = z
  .array(
    z.object({
      token: z.string().min(1).max(2_000),
      type: NAME,
      url: z.string().max(8_192).nullish(),
      source: NAME.nullish(),
    }),
  )
  .max(REPORTED_MAX);

/** Reads a report. Throws a 400 that holds nothing of it. */
export function readSecretAlert(bytes: Buffer): readonly ExposedToken[] {
  const parsed = alert.safeParse(isUtf8(bytes) ? parse(bytes.toString('utf8')) : undefined);
  if (!parsed.success) {
    throw new GatewayError(
      'invalid_request',
      `The body must be a list of at most ${REPORTED_MAX} objects with token, type, url and source.`,
    );
  }
  return parsed.data.map(({ token, type, url, source }) => {
    // A token stands in addresses at times, and in names where somebody mixed them up.
    const hide = (text: string): string => hideApiKeys(text.replaceAll(token, '[hidden]'));
    return { token, type: hide(type), source: source == null ? null : hide(source), url: url == null ? null : cleanUrl(url, hide) };
  });
}

function cleanUrl(text: string, hide: (text: string) => string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return hide(`${protocol}//${host}${decode(pathname)}`).slice(0, URL_LENGTH_MAX);
}

/** So that a token is found however it is spelled. */
function decode(pathname: string): string {
  try {
    return decodeURIComponent(pathname).replace(/\p{Cc}/gu, '');
  } catch {
    return pathname;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // refused by the caller of this function
  }
}
