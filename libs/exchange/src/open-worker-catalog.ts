import { createLiveCatalog, watchCatalog, type CatalogWatchParts, type LiveCatalog, type LiveCatalogParts } from '@weir/model-catalog';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type WorkerCatalogParts = Pick<LiveCatalogParts, 'imported' | 'takeProviders'> &
  Pick<CatalogWatchParts, 'source' | 'show' | 'log' | 'pollMs'> & {
    /** Where the version in force is kept over a restart: a folder that outlives the process. */
    readonly directory: string;
  };

export type WorkerCatalog = {
  readonly catalog: LiveCatalog;
  /** Looks for news now, for a request to a model that is not known here; false where there are none. */
  readonly learnModels: () => Promise<boolean>;
  stop(): Promise<void>;
};

/** Beside the folders of writers, which have other names. */
const FILE = 'catalog.json';

/**
 * The catalogue of a process that has no database: it follows what others publish. Prices come with each request; what is
 * needed here is which models there are. While nothing can be read, the version that was in force last stays so, also over a
 * restart.
 */
export async function openWorkerCatalog({ imported, takeProviders, directory, ...watching }: WorkerCatalogParts): Promise<WorkerCatalog> {
  const catalog = createLiveCatalog({ imported, ...(takeProviders === undefined ? {} : { takeProviders }) });
  const path = join(directory, FILE);
  const { log } = watching;
  try {
    catalog.replace(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ path, error }, 'the catalogue that was in force last cannot be read');
  }
  const keep = (state: object): void => {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      log.warn({ path, error }, 'the catalogue in force cannot be kept for the next start');
    }
  };
  const watch = await watchCatalog({ ...watching, catalog, keep });
  return { catalog, learnModels: () => watch.catchUp(), stop: () => watch.stop() };
}
