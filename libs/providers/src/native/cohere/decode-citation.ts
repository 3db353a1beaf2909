import type { Citation } from '@weir/canonical';
import { asArray, asRecord, asText, type JsonRecord } from '../../wire/json-value';

/** One span of the answer with everything it rests on: a citation for each document or page. */
export function decodeCitation(reported: JsonRecord): Citation[] {
  const { start, end } = reported;
  const span = typeof start === 'number' && typeof end === 'number' && end > start ? { start, end } : {};
  return asArray(reported['sources']).map((source) => ({ ...nameSource(asRecord(source) ?? {}), ...span }));
}

/** Results of tools have neither address nor title. */
function nameSource(source: JsonRecord): Pick<Citation, 'url' | 'title' | 'document'> {
  const document = asRecord(source['document']) ?? {};
  const url = asText(document['url']) ?? asText(source['url']);
  const title = asText(document['title']);
  const id = source['type'] === 'document' ? asText(source['id']) : undefined;
  return {
    ...(url === undefined ? {} : { url }),
    ...(title === undefined ? {} : { title }),
    ...(id === undefined ? {} : { document: { id } }),
  };
}

/** Spans of the plan and of the thinking are cited too; only those of the text have a place in an answer. */
export function isOfText(reported: JsonRecord): boolean {
  return reported['type'] === undefined || reported['type'] === 'TEXT_CONTENT';
}
