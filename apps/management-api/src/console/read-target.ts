import { GatewayError } from '@weir/errors';

const PREFIX = '/console/api';
const OPEN = /^\/(?:v1\/|x\/|openapi\.json$)/;
/** `.` and `..`, however they are written, mean another path to some and none to others. */
const DOTS = /(?:^|\/|%2f|\\|%5c)(?:\.|%2e){1,2}(?:\/|%2f|\\|%5c|$)/i;

/** Where a request to the console's copy of the interface goes, with its query. Throws `not_found` for what is no part of it. */
export function readTarget(url: string): string {
  const target = url.slice(PREFIX.length);
  const [path = ''] = target.split('?');
  if (!url.startsWith(`${PREFIX}/`) || !OPEN.test(path) || path.includes('//') || path.includes('#') || DOTS.test(path))
    throw new GatewayError('not_found', 'The console reaches paths below /v1/ and /x/, and /openapi.json.');
  return target;
}
