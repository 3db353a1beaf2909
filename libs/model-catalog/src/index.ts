// This library knows which models exist, what they can do and what they cost.
export { CatalogUnreadable } from './catalog-unreadable';
export { createBuiltInCatalog } from './built-in-catalog';
export { createCatalog, readBaseRecords } from './create-catalog';
export { encodeModelRecord } from './encode-model-record';
export {
  catalogDocument,
  catalogState,
  EMPTY_DOCUMENT,
  type ArchivedSheet,
  type CatalogDocument,
  type CatalogMark,
  type CatalogState,
} from './live/catalog-document.schema';
export { describeAmount, describeDiff } from './live/describe-diff';
export { isEmptyDiff, type CatalogDiff } from './live/diff-catalogs';
export { digestDocument } from './live/digest-document';
export { createLiveCatalog, documentOf, type LiveCatalog, type LiveCatalogParts } from './live/live-catalog';
export { mergeDocuments } from './live/merge-documents';
export { planVersion, type PlannedVersion } from './live/plan-version';
export { watchCatalog, type CatalogBoard, type CatalogSource, type CatalogWatch, type CatalogWatchParts } from './live/watch-catalog';
export { acceptChanges } from './sync/accept-changes';
export { LIST_FORMATS, type ListFormat } from './sync/list-formats';
export { proposeChanges, proposedChange, type ProposedChange } from './sync/propose-changes';
export { ListUnreadable, readList } from './sync/read-list';
export { bareName } from './index-bare-names';
export { loadCatalog } from './load-catalog';
export { createServedFinder, type FindServed } from './create-served-finder';
export { readManagedPolicies, type ManagedPolicy } from './managed-policies';
export { createPatternMatcher } from './match-pattern';
export { createModelCatalog, type ModelCatalog } from './model-catalog';
export { CAPABILITIES, type ModelRecord, type ModelRow } from './model-record.schema';
export { askWhichMeant, suggestNames, SUGGESTIONS_MAX } from './suggest-names';
export { isImageVariant, imageUnit, UNITS_OF_MODALITY } from './unit-names';
export { VENDOR_CUSTOMS, type NameSuffix } from './vendor-customs';
