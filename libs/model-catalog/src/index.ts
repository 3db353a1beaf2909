// This library knows which models exist, what they can do and what they cost.
export { createBuiltInCatalog } from './built-in-catalog';
export * from './create-catalog';
export * from './encode-model-record';
export { bareName, type BareMatches } from './index-bare-names';
export * from './load-catalog';
export * from './managed-policies';
export * from './match-pattern';
export * from './model-catalog';
export * from './model-record.schema';
export { askWhichMeant, suggestNames, SUGGESTIONS_MAX } from './suggest-names';
export * from './unit-names';
export { VENDOR_CUSTOMS, type NameSuffix } from './vendor-customs';
