import type { CatalogBoard, CatalogMark, CatalogState } from '@weir/model-catalog';
import type { Redis } from './client/create-redis';

/** Of one slot, so that both may be set together in a cluster. */
const MARK = '{weir:catalog}:mark';
const STATE = '{weir:catalog}:state';

/** Where workers, which have no database, find the newest version of the catalogue. What is read here is not trusted: readers check it. */
export function createRedisCatalogBoard(redis: Redis): CatalogBoard {
  return {
    newest: async () => readMark(await redis.get(MARK)),
    read: async () => {
      const text = await redis.get(STATE);
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
    publish: async (state: CatalogState) => {
      const { id, digest } = state;
      await redis.multi().set(STATE, JSON.stringify(state)).set(MARK, JSON.stringify({ id, digest })).exec();
    },
  };
}

function readMark(text: string | null): CatalogMark | undefined {
  if (text === null) return undefined;
  const { id, digest } = JSON.parse(text) as Partial<CatalogMark>;
  return typeof id === 'number' && typeof digest === 'string' ? { id, digest } : undefined;
}
