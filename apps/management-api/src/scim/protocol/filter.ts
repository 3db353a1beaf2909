import type { ScimAttribute } from './attribute';

export const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Where values stand in a resource: an attribute of it or of an extension, and perhaps a part of that. */
export type AttributePlace = {
  /** The URN of the extension; absent: the schema of the kind. */
  readonly extension?: string;
  readonly attribute: ScimAttribute;
  readonly part?: ScimAttribute;
};

export type FilterValue = string | number | boolean | null;

/** A filter of RFC 7644, 3.4.2.2, whose names were looked up. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly inner: Filter }
  | { readonly kind: 'compare'; readonly place: AttributePlace; readonly comparison: Comparison; readonly value: FilterValue }
  | { readonly kind: 'present'; readonly place: AttributePlace }
  /** An element of the attribute is as the inner filter says, whose places are parts of it. */
  | { readonly kind: 'some'; readonly place: AttributePlace; readonly inner: Filter };
