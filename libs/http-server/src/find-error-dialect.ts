import type { ErrorDialect } from '@weir/contracts';

/** In which shape errors are told at an address that no endpoint has. */
export function findErrorDialect(path: string): ErrorDialect {
  if (path.startsWith('/v1/manage/access-list')) return 'access-list';
  return path.startsWith('/v1/messages') ? 'messages' : 'gateway';
}
