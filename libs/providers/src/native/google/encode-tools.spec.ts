import { createLossReport, type ChatRequest } from '@weir/canonical';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { encodeRequest } from './encode-request';

const TOOLS: NonNullable<ChatRequest['tools']> = [{ kind: 'function', name: 'f' }, { kind: 'web-search' }];
const FUNCTIONS = { functionDeclarations: [{ name: 'f' }] };
const SEARCH = { googleSearch: {} };

function encode(toolChoice: NonNullable<ChatRequest['toolChoice']>, tools = TOOLS): Record<string, unknown> {
  const target = buildTarget('gemini-3-flash', { supportsWebSearch: true });
  const context = { family: 'google', target, losses: createLossReport() };
  return JSON.parse(encodeRequest(buildRequest({ tools, toolChoice }), context).body) as Record<string, unknown>;
}

it('searches only where the choice of tools leaves that open', () => {
  const some = { kind: 'allowed', mode: 'auto', names: ['f'] } as const;

  expect(encode({ kind: 'auto' })['tools']).toEqual([FUNCTIONS, SEARCH]);
  expect(encode({ kind: 'none' })['tools']).toEqual([FUNCTIONS]);
  expect(encode({ kind: 'none' }, [{ kind: 'web-search' }])).not.toHaveProperty('tools');
  expect(encode(some)['tools']).toEqual([FUNCTIONS]);
  expect(encode({ kind: 'tool', name: 'f' })['tools']).toEqual([FUNCTIONS]);
  expect(encode({ ...some, hasSearch: true })['tools']).toEqual([FUNCTIONS, SEARCH]);
  expect(encode({ ...some, names: [], hasSearch: true })).toMatchObject({
    tools: [FUNCTIONS, SEARCH],
    toolConfig: { functionCallingConfig: { mode: 'NONE' } },
  });
});
