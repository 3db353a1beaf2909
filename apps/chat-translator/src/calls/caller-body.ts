import type { OriginalBody } from '@weir/canonical';

/** The caller's body as text and parsed. */
export type CallerBody = { readonly body: OriginalBody; readonly json: Readonly<Record<string, unknown>> };

/** A body whose history its provider takes, and what the caller loses by that. */
export type CleanedBody = { readonly body: OriginalBody; readonly dropped: readonly string[]; readonly approximated: readonly string[] };
