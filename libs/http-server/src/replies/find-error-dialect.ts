import type { ErrorDialect } from '@weir/contracts';
import type { IncomingHttpHeaders } from 'node:http';

/** Model lists serve several dialects at one address: clients of this one send the header. */
const MESSAGES_HEADER = 'anthropic-version';

/** The dialect of errors at an address that no endpoint has, or that serves several dialects. */
export function findErrorDialect(path: string, headers: IncomingHttpHeaders = {}): ErrorDialect {
  if (path.startsWith('/v1/models') && headers[MESSAGES_HEADER] !== undefined) return 'messages';
  if (path.startsWith('/v1/manage/access-list')) return 'access-list';
  if (path.startsWith('/scim/')) return 'scim';
  return path.startsWith('/v1/messages') ? 'messages' : 'gateway';
}
