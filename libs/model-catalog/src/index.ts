// This library knows which models exist, what they can do and what they cost.
export { createBuiltInCatalog } from './built-in-catalog';
export { createCatalog } from './create-catalog';
export { encodeModelRecord } from './encode-model-record';
export { bareName } from './index-bare-names';
export { loadCatalog } from './load-catalog';
export { readManagedPolicies, type ManagedPolicy } from './managed-policies';
export { createPatternMatcher } from './match-pattern';
export { createModelCatalog, type ModelCatalog } from './model-catalog';
export { CAPABILITIES, type ModelRecord, type ModelRow } from './model-record.schema';
export { askWhichMeant, suggestNames, SUGGESTIONS_MAX } from './suggest-names';
export { isImageVariant, imageUnit, UNITS_OF_MODALITY } from './unit-names';
export { VENDOR_CUSTOMS, type NameSuffix } from './vendor-customs';
