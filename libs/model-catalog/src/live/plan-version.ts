import { CatalogUnreadable } from '../catalog-unreadable';
import type { ArchivedSheet, CatalogDocument } from './catalog-document.schema';
import { checkSuccession } from './check-succession';
import { diffCatalogs, type CatalogDiff } from './diff-catalogs';
import { digestDocument } from './digest-document';
import { documentOf, type LiveCatalog } from './live-catalog';

/** A version of the catalogue that may follow the one in force. */
export type PlannedVersion = {
  /** The version that it was planned to follow; undefined: there is none. */
  readonly follows: number | undefined;
  readonly document: CatalogDocument;
  readonly digest: string;
  readonly sheets: readonly ArchivedSheet[];
  readonly diff: CatalogDiff;
};

type VersionAsk = {
  readonly catalog: LiveCatalog;
  readonly document: CatalogDocument;
  readonly isRollback?: boolean;
  readonly nowMs: number;
};

/** What a document would change. Throws `CatalogUnreadable` for one that may not be put in force. */
export function planVersion({ catalog, document, isRollback = false, nowMs }: VersionAsk): PlannedVersion {
  const trial = catalog.try(document);
  const problems = checkSuccession({ before: catalog, after: trial.catalog, mayDropPrices: isRollback, nowMs });
  if (problems.length > 0) throw new CatalogUnreadable(problems);
  return {
    follows: catalog.state()?.id,
    document,
    digest: digestDocument(document),
    sheets: trial.sheets,
    diff: diffCatalogs({
      before: { catalog, providers: documentOf(catalog).providers },
      after: { catalog: trial.catalog, providers: document.providers },
    }),
  };
}
