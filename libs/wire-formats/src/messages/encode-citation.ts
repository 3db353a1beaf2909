import type { Citation } from '@weir/canonical';
import { CITATIONS_DROPPED } from '../reply/locate-citation';
import { MESSAGES_FAMILY } from '../state/native-family';
import type { ReplyContext } from '../dialect/wire-format';

/** A citation of a block's text. Undefined, and reported as lost, for a source that is neither a page nor a place in a document. */
export function encodeCitation(citation: Citation, text: string, noteDropped: ReplyContext['noteDropped']): unknown {
  if (citation.original?.family === MESSAGES_FAMILY) return citation.original.raw;
  const said = citation.url === undefined ? encodePlace(citation, text) : encodePage(citation, text);
  if (said === undefined) noteDropped?.(CITATIONS_DROPPED);
  return said;
}

function encodePage(citation: Citation, text: string): unknown {
  return {
    type: 'web_search_result_location',
    url: citation.url,
    title: citation.title ?? null,
    encrypted_index: '',
    cited_text: quote(citation, text),
  };
}

const PLACES = {
  character: { type: 'char_location', start: 'start_char_index', end: 'end_char_index' },
  page: { type: 'page_location', start: 'start_page_number', end: 'end_page_number' },
  block: { type: 'content_block_location', start: 'start_block_index', end: 'end_block_index' },
} as const;

function encodePlace(citation: Citation, text: string): unknown {
  const { index, place } = citation.document ?? {};
  if (index === undefined || place === undefined) return undefined;
  const names = PLACES[place.unit];
  return {
    type: names.type,
    cited_text: quote(citation, text),
    document_index: index,
    document_title: citation.title ?? null,
    [names.start]: place.start,
    [names.end]: place.end,
    file_id: citation.document?.id ?? null,
  };
}

/** The words of the source where they are known, else the words of the answer that rest on it. */
function quote({ citedText, start, end }: Citation, text: string): string {
  return citedText ?? text.slice(start ?? 0, end ?? text.length);
}
