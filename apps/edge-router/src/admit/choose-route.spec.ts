import type { GatewayError } from '@weir/errors';
import { getEndpoint } from '@weir/contracts';
import { loadCatalog } from '@weir/model-catalog';
import { chooseRoute, type RouteAsk } from './choose-route';

const catalog = loadCatalog([]);

function refuse(json: Record<string, unknown>): string {
  const ruling = {
    map: { catalog, isRoutable: () => true },
    rules: { policies: [], aliases: [], guardrails: [], limits: [], credentials: [] },
    checkRecord: () => undefined,
    addOwnKeys: (plan: unknown) => plan,
  } as unknown as RouteAsk['ruling'];
  const ask = { ruling, endpoint: getEndpoint('chat-completions'), modelId: 'acme/small', headers: {}, parsed: { json }, bodyBytes: 1 };
  try {
    chooseRoute(ask as unknown as RouteAsk, { guard: {} as never });
  } catch (error) {
    return (error as GatewayError).message;
  }
  return '';
}

describe('a model that cannot be served', () => {
  it.each([{}, { model: null }])('is said to be the default one where the request names none: %j', (json) => {
    expect(refuse(json)).toMatch(
      /^The request names no model, and the default model "acme\/small" cannot serve it\. .+ Name a model in `model`\.$/,
    );
  });

  it('is the fault of the request that names it', () => {
    expect(refuse({ model: 'acme/small' })).toMatch(/^The model "acme\/small" is not known here\./);
  });
});
