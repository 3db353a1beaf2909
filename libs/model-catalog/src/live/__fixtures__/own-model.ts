import { catalogDocument, type CatalogDocument, type CatalogState } from '../catalog-document.schema';
import { digestDocument } from '../digest-document';
import type { LiveCatalog } from '../live-catalog';
import { planVersion } from '../plan-version';

/** A dated price of so many millionths of a dollar for a token that comes in, twice that for one that goes out. */
export function priceOf(millionths: number, validFrom = '2026-01-01', version = validFrom) {
  const input = (millionths / 1_000_000).toFixed(9);
  return { version, validFrom, tiers: [{ threshold: 0, input, output: (millionths / 500_000).toFixed(9) }] };
}

export function ownModel(id = 'sandbox/own', members: object = {}): { id: string } & Record<string, unknown> {
  const name = id.slice(id.indexOf('/') + 1);
  const facts = { modality: 'chat', provider: 'sandbox', upstreamModel: name, vendor: 'sandbox', canonicalName: name };
  return { id, ...facts, prices: [priceOf(1)], ...members };
}

export function documentWith(members: Partial<CatalogDocument>): CatalogDocument {
  return catalogDocument.parse(members);
}

/** A version as the store would give it to processes: planned against what a catalogue has in force. */
export function nextState(
  catalog: LiveCatalog,
  document: CatalogDocument,
  ask: { isRollback?: boolean; nowMs?: number } = {},
): CatalogState {
  const { nowMs = Date.parse('2026-11-24T12:00:00Z'), ...rest } = ask;
  const { sheets } = planVersion({ catalog, document, nowMs, ...rest });
  return { id: (catalog.state()?.id ?? 0) + 1, digest: digestDocument(document), document, sheets: [...sheets] };
}
