import { refuseFetch } from './refuse-fetch';

const STANDARD_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const URL_LENGTH_MAX = 8192;

/** Parses an address a caller names. Throws a 400 for `field` unless it is a plain http(s) URL on an allowed port. */
export function checkUrl(text: string, field: string, ports: ReadonlySet<number>): URL {
  if (text.length > URL_LENGTH_MAX) throw refuseFetch(field, `must not be longer than ${URL_LENGTH_MAX} characters`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const standardPort = url === undefined ? undefined : STANDARD_PORTS[url.protocol];
  if (url === undefined || standardPort === undefined) throw refuseFetch(field, 'must be an http or https address');
  if (url.username !== '' || url.password !== '') throw refuseFetch(field, 'must not hold a user name or a password');
  const port = url.port === '' ? standardPort : Number(url.port);
  if (!ports.has(port)) throw refuseFetch(field, `names port ${port}: files are fetched from ${[...ports].join(' and ')} only`);
  return url;
}
