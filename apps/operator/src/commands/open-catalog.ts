import { createCatalogSource } from '@weir/database';
import { createLiveCatalog, type LiveCatalog } from '@weir/model-catalog';
import { checkProviderRows } from '@weir/providers';
import type { OpenDeployment } from './command';

/** The catalogue as processes of the gateway have it now. */
export async function openCatalog({ database, importedModels }: OpenDeployment): Promise<LiveCatalog> {
  const catalog = createLiveCatalog({ imported: importedModels, takeProviders: checkProviderRows });
  const state = await createCatalogSource(database.pool).read();
  if (state !== undefined) catalog.replace(state);
  return catalog;
}
