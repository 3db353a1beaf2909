import { createLiveCatalog, watchCatalog, type CatalogWatchParts, type LiveCatalog, type LiveCatalogParts } from '@weir/model-catalog';
import type { Pool } from 'pg';
import { createCatalogSource } from './catalog-source';

type StoredCatalogParts = Pick<LiveCatalogParts, 'imported' | 'takeProviders'> &
  Pick<CatalogWatchParts, 'notices' | 'board' | 'show' | 'log'> & { readonly pool: Pool };

export type StoredCatalog = { readonly catalog: LiveCatalog; stop(): Promise<void> };

/** The catalogue of a process that has the database, and follows its versions. Rejects where they cannot be read to begin with. */
export async function openStoredCatalog({ pool, imported, takeProviders, ...watching }: StoredCatalogParts): Promise<StoredCatalog> {
  const catalog = createLiveCatalog({ imported, ...(takeProviders === undefined ? {} : { takeProviders }) });
  const watch = await watchCatalog({ ...watching, catalog, source: createCatalogSource(pool), mustRead: true });
  return { catalog, stop: () => watch.stop() };
}
