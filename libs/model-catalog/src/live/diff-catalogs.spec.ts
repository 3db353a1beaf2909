import { documentWith, nextState, ownModel, priceOf } from './__fixtures__/own-model';
import { describeDiff } from './describe-diff';
import { digestDocument } from './digest-document';
import { createLiveCatalog } from './live-catalog';
import { mergeDocuments } from './merge-documents';
import { planVersion } from './plan-version';

const nowMs = Date.parse('2026-11-24T12:00:00Z');

it('says what is added, removed and changed, and what prices become, with percent', () => {
  const catalog = createLiveCatalog({ now: () => nowMs });
  catalog.replace(nextState(catalog, documentWith({ models: [ownModel('sandbox/own', { contextWindow: 1000 })] })));
  const dearer = ownModel('sandbox/own', { contextWindow: 2000, prices: [priceOf(1), priceOf(1.5, '2026-11-25')] });
  const providers = [{ id: 'acme', name: 'Acme' }];
  const document = documentWith({ models: [dearer, ownModel('sandbox/new')], removed: ['sandbox/chat-free'], providers });

  const { diff } = planVersion({ catalog, document, nowMs });

  expect(describeDiff(diff).split('\n')).toEqual([
    '- model sandbox/chat-free',
    '+ model sandbox/new',
    '    + price 2026-01-01, in force from 2026-01-01 UTC',
    '        input: 0.000001000 USD',
    '        output: 0.000002000 USD',
    '        cachedRead: 0.000001000 USD',
    '        cacheWrite5m: 0.000001000 USD',
    '        cacheWrite1h: 0.000001000 USD',
    '~ model sandbox/own',
    '    contextWindow: 1000 → 2000',
    '    + price 2026-11-25, in force from 2026-11-25 UTC',
    '        input: 0.000001000 → 0.000001500 USD (+50 %)',
    '        output: 0.000002000 → 0.000003000 USD (+50 %)',
    '        cachedRead: 0.000001000 → 0.000001500 USD (+50 %)',
    '        cacheWrite5m: 0.000001000 → 0.000001500 USD (+50 %)',
    '        cacheWrite1h: 0.000001000 → 0.000001500 USD (+50 %)',
    '+ provider acme',
    '',
    '2 added, 1 removed, 1 changed',
    '',
  ]);
});

it('says that nothing is different, also of a row that says the same as the release', () => {
  const catalog = createLiveCatalog({ now: () => nowMs });
  const { diff } = planVersion({
    catalog,
    document: documentWith({ models: [{ ...catalog.find('sandbox/chat'), id: 'sandbox/chat' }] }),
    nowMs,
  });
  expect(describeDiff(diff)).toBe('Nothing is different.\n');
});

it('merges changes into a document by id, and takes a model back that was removed', () => {
  const before = documentWith({ models: [ownModel('sandbox/a'), ownModel('sandbox/b')], removed: ['sandbox/c', 'sandbox/chat'] });
  const changes = documentWith({ models: [ownModel('sandbox/c'), ownModel('sandbox/a', { contextWindow: 5 })], removed: ['sandbox/b'] });

  expect(mergeDocuments(before, changes)).toMatchObject({
    models: [{ id: 'sandbox/a', contextWindow: 5 }, { id: 'sandbox/c' }],
    removed: ['sandbox/b', 'sandbox/chat'],
  });
});

it('digests a document alike whatever the order of its members', () => {
  expect(digestDocument({ a: 1, b: [{ c: 2, d: null }] })).toBe(digestDocument({ b: [{ d: null, c: 2 }], a: 1 }));
  expect(digestDocument({ a: 1 })).not.toBe(digestDocument({ a: 2 }));
});
