import { decodeCitation as fromMessages } from './anthropic/decode-blocks';
import { decodeCitation as fromConverse } from './bedrock/decode-blocks';
import { decodeCitation as fromCohere } from './cohere/decode-citation';
import { decodeAnnotation } from './openai-responses/decode-items';

const notes = { toolNames: new Map(), customTools: new Set<string>(), hasAnswerTool: false } as never;
const converse = (location: Record<string, unknown>) =>
  fromConverse({ title: 't', location }, { family: 'converse', fallbackModel: '', notes });

describe('documents of the request that are cited', () => {
  it.each([
    [
      { type: 'char_location', document_index: 1, start_char_index: 2, end_char_index: 3 },
      { index: 1, place: { unit: 'character', start: 2, end: 3 } },
    ],
    [
      { type: 'page_location', document_index: 0, start_page_number: 4, end_page_number: 5, file_id: 'file_1' },
      { index: 0, id: 'file_1', place: { unit: 'page', start: 4, end: 5 } },
    ],
    [
      { type: 'content_block_location', document_index: 0, start_block_index: 0, end_block_index: 1 },
      { index: 0, place: { unit: 'block', start: 0, end: 1 } },
    ],
    [{ type: 'char_location', document_index: 1 }, { index: 1 }],
    [{ type: 'search_result_location', source: 'https://x.org', start_block_index: 0, end_block_index: 1 }, undefined],
  ])('Messages: %j', (raw, document) => {
    expect(fromMessages(raw).document).toEqual(document);
  });

  it.each([
    [{ documentChar: { documentIndex: 1, start: 2, end: 3 } }, { index: 1, place: { unit: 'character', start: 2, end: 3 } }],
    [{ documentPage: { documentIndex: 0, start: 4, end: 5 } }, { index: 0, place: { unit: 'page', start: 4, end: 5 } }],
    [{ documentChunk: { documentIndex: 0, start: 0, end: 1 } }, { index: 0, place: { unit: 'block', start: 0, end: 1 } }],
    [{ web: { url: 'https://x.org' } }, undefined],
  ])('Converse: %j', (location, document) => {
    expect(converse(location).document).toEqual(document);
  });

  it('Cohere names documents by their ids, and results of tools not at all', () => {
    const sources = [
      { type: 'document', id: 'doc:0', document: { title: 'T' } },
      { type: 'tool', id: 'f:0', tool_output: {} },
    ];

    expect(fromCohere({ start: 0, end: 2, sources })).toEqual([
      { title: 'T', document: { id: 'doc:0' }, start: 0, end: 2 },
      { start: 0, end: 2 },
    ]);
  });

  it('Responses names files by their ids', () => {
    const raw = { type: 'file_citation', file_id: 'file-1', filename: 'a.pdf', index: 3 };

    expect(decodeAnnotation(raw)).toEqual([{ title: 'a.pdf', document: { id: 'file-1' }, original: { family: 'responses', raw } }]);
  });
});
