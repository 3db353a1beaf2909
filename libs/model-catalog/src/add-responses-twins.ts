import type { ModelRecord } from './model-record.schema';

const CHAT_PREFIX = 'openai/';
const TWIN_PREFIX = 'openai-responses/';
const TWIN_PROVIDER = 'openai-responses';

/** What the vendor serves by chat completions only: models that search the web for every request. */
const CHAT_COMPLETIONS_ONLY = /-search-(?:preview|api)(?:-|$)/;

/**
 * Gives every chat model of OpenAI a twin that is served by the responses interface of the same account, at the same
 * prices. A twin that stands in the data files is kept as it is.
 */
export function addResponsesTwins(records: ReadonlyMap<string, ModelRecord>): ModelRecord[] {
  const all = [...records.values()];
  const twins = all.filter(isServedByBoth).map(toTwin);
  return [...all, ...twins.filter(({ id }) => !records.has(id))];
}

function isServedByBoth({ id, provider, modality }: ModelRecord): boolean {
  return provider === 'openai' && modality === 'chat' && id.startsWith(CHAT_PREFIX) && !CHAT_COMPLETIONS_ONLY.test(id);
}

function toTwin(record: ModelRecord): ModelRecord {
  const id = `${TWIN_PREFIX}${record.id.slice(CHAT_PREFIX.length)}`;
  // Texts and sheets are remembered by the price they were made for, so a twin has prices of its own.
  const prices = record.prices.map((price) => ({ ...price }));
  return { ...record, id, provider: TWIN_PROVIDER, prices };
}
