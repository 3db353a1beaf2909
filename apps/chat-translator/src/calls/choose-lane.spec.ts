import { createOriginalBody, type OriginalBody } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import type { Provider, EncodedCall, ModelFacts } from '@weir/providers';
import { wireFormats } from '@weir/wire-formats';
import type { ChatSession } from '../session/chat-session';
import { chooseLane, type Lane } from './choose-lane';

const TEXT = '{"model":"vendor/m","messages":[{"role":"user","content":"hi"}],"seed":1}';
const attempt: Attempt = {
  modelId: 'vendor/m',
  providerId: 'vendor',
  upstreamModel: 'm',
  region: null,
  prices: { kind: 'units', version: 'v1', units: {} },
  isByok: false,
  isFree: false,
};

type Asking = {
  readonly isStrict?: boolean;
  readonly text?: string;
  readonly hasExpress?: boolean;
  readonly autoCache?: '5m' | '1h';
  readonly cachePlaces?: { readonly tools: boolean } | null;
};

/** Chooses for a provider whose express lane returns `call`, and whose codec drops the seed. */
function choose(call: Partial<EncodedCall>, asking: Asking = {}): Lane {
  const { isStrict = false, text = TEXT, hasExpress = true, autoCache, cachePlaces = null } = asking;
  const original = (): OriginalBody => createOriginalBody(text) as OriginalBody;
  const session = {
    dialect: 'chat-completions',
    format: wireFormats['chat-completions'],
    body: { text, json: JSON.parse(text) as Record<string, unknown> },
    original,
    asked: () => ({ model: 'vendor/m', turns: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], stream: false }),
    forwarded: { headers: {}, passport: { stream: false, isStrict, autoCache } },
  } as unknown as ChatSession;
  const provider = {
    id: 'vendor',
    cachePlaces: () => cachePlaces,
    express: hasExpress
      ? { dialect: 'chat-completions', encodeOriginal: () => ({ path: '/express', body: '', ...call }), readUsage: () => null }
      : null,
    codec: {
      encodeRequest: (request: unknown, _target: unknown, losses: { dropped: Set<string> }) => {
        losses.dropped.add('seed');
        return { path: '/translated', body: JSON.stringify(request) };
      },
    },
  } as unknown as Provider;
  return chooseLane(session, attempt, { findProvider: () => provider, findModel: () => ({ id: 'vendor/m' }) as ModelFacts });
}

describe('chooseLane', () => {
  it('takes the express lane where both speak one dialect, and reports what that lost too', () => {
    const lane = choose({ dropped: ['logit_bias', 'user'], approximated: ['temperature'] });

    expect(lane).toMatchObject({ kind: 'express', call: { path: '/express' } });
    expect([...lane.losses.dropped, ...lane.losses.approximated]).toEqual(['logit_bias', 'user', 'temperature']);
  });

  it.each([{ dropped: ['user'] }, { approximated: ['user'] }])('refuses %j in the express lane when the caller is strict', (call) => {
    expect(() => choose(call, { isStrict: true })).toThrow(
      expect.objectContaining({ code: 'unsupported_field', details: { field: 'user' } }),
    );
    expect(choose({}, { isStrict: true }).kind).toBe('express');
  });

  it('translates for other dialects, with the same report and the same refusal', () => {
    const lane = choose({}, { hasExpress: false });

    expect(lane).toMatchObject({ kind: 'translated', call: { path: '/translated' } });
    expect([...lane.losses.dropped]).toEqual(['seed']);
    expect(() => choose({}, { hasExpress: false, isStrict: true })).toThrow(expect.objectContaining({ code: 'unsupported_field' }));
  });

  it('marks the prompt for the provider’s cache when the caller asked for it and it saves something there', () => {
    const bodyOf = (asking: Asking) => choose({}, { hasExpress: false, ...asking }).call.body;

    expect(bodyOf({ autoCache: '1h', cachePlaces: { tools: true } })).toContain('"cache":{"ttl":"1h"}');
    expect(bodyOf({ autoCache: '5m', cachePlaces: { tools: true } })).toContain('"cache":{}');
    expect(bodyOf({ autoCache: '5m' })).not.toContain('cache');
    expect(bodyOf({ cachePlaces: { tools: true } })).not.toContain('cache');
  });

  it.each([true, false])('reports that there is no place for marks, in the express lane (%s) as well', (hasExpress) => {
    const lostOf = (asking: Asking) => [...choose({}, { hasExpress, ...asking }).losses.dropped].filter((name) => name !== 'seed');

    expect(lostOf({ autoCache: '5m' })).toEqual(['weir.auto_cache']);
    expect(lostOf({})).toEqual([]);
    expect(() => choose({}, { hasExpress, autoCache: '5m', isStrict: true })).toThrow(
      expect.objectContaining({ code: 'unsupported_field' }),
    );
    if (!hasExpress) expect(lostOf({ autoCache: '5m', cachePlaces: { tools: true } })).toEqual([]);
  });
});
