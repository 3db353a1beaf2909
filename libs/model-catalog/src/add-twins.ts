import type { ModelRecord } from './model-record.schema';
import { VENDOR_CUSTOMS } from './vendor-customs';

/**
 * Gives every chat model of a vendor with two interfaces a twin behind the other one, of the same account and at the same
 * prices. A twin that stands in the data files is kept as it is.
 */
export function addTwins(records: ReadonlyMap<string, ModelRecord>): ModelRecord[] {
  const all = [...records.values()];
  const twins = VENDOR_CUSTOMS.twins.flatMap(({ provider, twin, except }) =>
    all
      .filter((record) => record.provider === provider && record.modality === 'chat' && isNamedAfter(record.id, provider))
      .filter(({ id }) => !except.some((part) => id.includes(part)))
      .map((record) => toTwin(record, twin)),
  );
  return [...all, ...twins.filter(({ id }) => !records.has(id))];
}

/** Whether an id is `openai/…`, or `openai-eu/…` for a regional host: an operator's own names say nothing of an interface. */
function isNamedAfter(id: string, provider: string): boolean {
  return id.startsWith(`${provider}/`) || id.startsWith(`${provider}-`);
}

/** A record has one twin however often a catalogue is made of it, so that what was derived from the twin holds on. */
const made = new WeakMap<ModelRecord, ModelRecord>();

function toTwin(record: ModelRecord, provider: string): ModelRecord {
  const known = made.get(record);
  if (known?.provider === provider) return known;
  const twin = makeTwin(record, provider);
  made.set(record, twin);
  return twin;
}

function makeTwin(record: ModelRecord, provider: string): ModelRecord {
  // `openai-eu/…` is the regional host of `openai/…`, so its twin is the regional host of the other interface.
  const id = `${provider}${record.id.slice(record.provider.length)}`;
  // Texts and sheets are remembered by the price they were made for, so a twin has prices of its own.
  const prices = record.prices.map((price) => ({ ...price }));
  return { ...record, id, provider, prices };
}
