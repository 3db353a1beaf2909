import { createOriginalBody } from '@weir/canonical';
import { chooseLane, type ChatSession, type Lane } from '@weir/chat-translator';
import { GatewayError } from '@weir/errors';
import { createBuiltInCatalog, type ModelCatalog, type ModelRecord } from '@weir/model-catalog';
import { createProviderDirectory, type ExpressCall, type ProviderDirectory } from '@weir/providers';
import { wireFormats } from '@weir/wire-formats';
import { makeAttempt } from '@weir/testing';
import type { ClientRequest } from './corpus/list-requests';

export type LaneRunner = {
  /** Returns what would be sent, or the error the caller would get. Anything else that is thrown is a fault. */
  run(request: Pick<ClientRequest, 'dialect' | 'body'>, modelId: string): LaneResult;
};
type LaneResult = { readonly lane: Lane; readonly call: ExpressCall } | { readonly refused: GatewayError };

/** Runs the worker's own code from a caller's body to a provider's call, up to the point where it would be sent. */
export function createLaneRunner(): LaneRunner {
  const catalog = createBuiltInCatalog();
  const providers = createProviderDirectory({ env: readEnv, transport: () => Promise.reject(new Error('nothing is sent here')) });
  return {
    run: (request, modelId) => {
      const record = catalog.find(modelId);
      if (record === undefined) throw new Error(`the catalogue has no ${modelId}`);
      try {
        const lane = encode(request, record, catalog, providers);
        return { lane, call: lane.call };
      } catch (error) {
        if (error instanceof GatewayError && error.status < 500) return { refused: error };
        throw error;
      }
    },
  };
}

function encode(
  { dialect, body }: Pick<ClientRequest, 'dialect' | 'body'>,
  record: ModelRecord,
  catalog: ModelCatalog,
  providers: ProviderDirectory,
) {
  const text = JSON.stringify(body);
  // Only what choosing a lane looks at: there is no connection here.
  const session = {
    dialect,
    format: wireFormats[dialect],
    body: { text, json: JSON.parse(text) as Record<string, unknown> },
    original: () => createOriginalBody(text),
    asked: () => wireFormats[dialect].decodeRequest(JSON.parse(text) as Record<string, unknown>),
    forwarded: { headers: {}, passport: { stream: body['stream'] === true, isStrict: false } },
  } as unknown as ChatSession;
  return chooseLane(session, makeAttempt(record, catalog), {
    findProvider: (id) => providers.find(id),
    findModel: () => catalog.facts(record),
  });
}

/** Credentials for every provider. */
function readEnv(name: string): string | undefined {
  if (/_(BASE_URL|ENDPOINT)$/.test(name)) return 'http://upstream.test';
  if (/_API_KEY$/.test(name)) return 'a-key';
  return /_PROJECT$/.test(name) ? 'a-project' : undefined;
}
