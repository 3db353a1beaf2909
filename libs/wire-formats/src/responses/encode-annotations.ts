import type { Citation } from '@weir/canonical';
import { CITATIONS_DROPPED, locateCitation } from '../reply/locate-citation';
import { RESPONSES_FAMILY } from '../state/native-family';
import type { ReplyContext } from '../dialect/wire-format';

/** The annotations of one part, with offsets into it. What has neither an address nor a document is reported as lost. */
export function encodeAnnotations(citations: readonly Citation[], partLength: number, noteDropped: ReplyContext['noteDropped']): unknown[] {
  return citations.flatMap((citation) => {
    const annotation = encodeAnnotation(citation, partLength);
    if (annotation === undefined) noteDropped?.(CITATIONS_DROPPED);
    return annotation === undefined ? [] : [annotation];
  });
}

function encodeAnnotation(citation: Citation, partLength: number): unknown {
  const located = locateCitation(citation, 0, partLength);
  if (located !== undefined) return { type: 'url_citation', ...located };
  const { original, document, title } = citation;
  if (original?.family === RESPONSES_FAMILY) return original.raw;
  if (document === undefined) return undefined;
  // A document that came inside the request has no id of its own: it is named by its place there.
  const id = document.id ?? `document_${document.index ?? 0}`;
  return { type: 'file_citation', file_id: id, filename: title ?? '', index: citation.end ?? partLength };
}
