import type { Citation } from '@weir/canonical';

/** The name of the loss of citations. */
export const CITATIONS_DROPPED = 'reply.citations';

type UrlCitation = { readonly url: string; readonly title: string; readonly start_index: number; readonly end_index: number };

/**
 * A citation in the form of `url_citation`: offsets count from `offset`, the place of the block in the whole text. Without
 * offsets of its own it spans the block. Undefined for sources that have no address.
 */
export function locateCitation(citation: Citation, offset: number, blockLength: number): UrlCitation | undefined {
  if (citation.url === undefined) return undefined;
  return {
    url: citation.url,
    title: citation.title ?? '',
    start_index: offset + (citation.start ?? 0),
    end_index: offset + (citation.end ?? blockLength),
  };
}
