import type { Attempt } from '@weir/contracts';
import { createBuiltInCatalog, createModelCatalog, createServedFinder, type ModelCatalog, type ModelRecord } from '@weir/model-catalog';
import { makeAttempt } from '@weir/testing';
import type { ChatCapture } from '../captured/chat-capture';

/** Providers whose models an operator brings: the catalogue lists none, so the replay lends them one. */
const OPERATORS_OWN = ['ollama', 'vllm'];

/** The built-in catalogue, with one model lent to every provider that has none of its own. */
export function createReplayCatalog(): ModelCatalog {
  const records = createBuiltInCatalog().list();
  const lender = records.find((record) => record.id === 'openai/gpt-4.1');
  if (lender === undefined) throw new Error('the catalogue has no model to lend');
  const lent = OPERATORS_OWN.map((provider) => ({ ...lender, id: `${provider}/lent`, provider, upstreamModel: 'lent' }));
  return createModelCatalog([...records, ...lent], Date.now);
}

/** The capture's own model where its provider lists it, or a snapshot of it, else one that stands for all models of that provider. */
export function chooseAttempt(chat: ChatCapture, provider: string, catalog: ModelCatalog): Attempt {
  const records = catalog.list('chat').filter((record) => record.provider === provider && speaks(record, chat));
  const own = records.find((record) => record.upstreamModel === chat.model || nameOf(record) === chat.model);
  const standIn = own ?? [...records].sort((a, b) => rankOf(b, catalog) - rankOf(a, catalog))[0];
  if (standIn === undefined) throw new Error(`no model of ${provider} for ${chat.name}`);
  const attempt = makeAttempt(standIn, catalog);
  // Replies name it: one that is listed by another name alone is priced by that.
  const named = own === undefined ? createServedFinder(catalog)(attempt, chat.model) : undefined;
  return named === undefined || !speaks(named, chat) ? attempt : makeAttempt(named, catalog);
}

/** A cloud speaks several wires, by the model. */
function speaks(record: ModelRecord, { family }: ChatCapture): boolean {
  if (record.provider !== 'vertex' && record.provider !== 'azure') return true;
  if (record.provider === 'vertex') return record.upstreamModel.startsWith('gemini') === (family === 'gemini');
  return record.responsesOnly === (family === 'responses');
}

function nameOf(record: ModelRecord): string {
  return record.id.slice(record.id.lastIndexOf('/') + 1);
}

/** One that costs money, is bound to no region and can do much. */
function rankOf(record: ModelRecord, catalog: ModelCatalog): number {
  return (catalog.isFree(record) ? 0 : 100) + (record.region === null ? 20 : 0) + record.supports.length;
}
