import { createHash } from 'node:crypto';

/** An id that is too long for a provider as one it takes: always the same, and never another's. */
export function shortenId(id: string, charactersMax: number): string {
  return id.length <= charactersMax ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
