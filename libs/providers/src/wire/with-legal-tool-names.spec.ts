import { collectReply, createLossReport, type ChatEvent, type ChatRequest } from '@weir/canonical';
import { buildRequest, buildTarget } from '../__fixtures__/build-target';
import type { ChatCodec } from '../provider/provider';
import { COMMON_TOOL_NAMES, encodeToolName, withLegalToolNames, type ToolNameRule } from './with-legal-tool-names';

const LONG = `mcp__${'server'.repeat(12)}__tool`;
const LETTER_FIRST: ToolNameRule = { legal: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, charactersMax: 64 };

/** A codec that sends a request as it is and whose model calls the last tool on offer. */
function createEcho(): { codec: ChatCodec; sent: ChatRequest[] } {
  const sent: ChatRequest[] = [];
  const events = (): ChatEvent[] => {
    const tool = sent.at(-1)?.tools?.at(-1);
    const name = tool !== undefined && 'name' in tool ? tool.name : '';
    return [
      { type: 'start', id: 'r', model: 'm', createdAtSeconds: 1 },
      { type: 'tool-call-start', choice: 0, block: 0, id: 'c', name, kind: 'function' },
      { type: 'tool-call-end', choice: 0, block: 0 },
      { type: 'finish', choice: 0, finish: { unified: 'tool-calls', upstream: null } },
    ];
  };
  const codec: ChatCodec = {
    encodeRequest(request) {
      sent.push(request);
      return { path: '', body: '' };
    },
    decodeReply: () => collectReply(events()),
    createStreamDecoder: () => ({ push: () => events(), end: () => [{ type: 'end' }], reported: () => null }),
  };
  return { codec, sent };
}

const asked = (name: string): ChatRequest =>
  buildRequest({
    tools: [{ kind: 'function', name }],
    toolChoice: { kind: 'tool', name },
    turns: [
      { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name, kind: 'function', argumentsText: '{}' }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', content: [] }] },
    ],
  });

describe('withLegalToolNames', () => {
  it.each([
    ['too long', LONG, COMMON_TOOL_NAMES],
    ['of foreign characters', 'files.read/all', COMMON_TOOL_NAMES],
    ['empty', '', COMMON_TOOL_NAMES],
    ['beginning with a digit', '3d_view', LETTER_FIRST],
  ])('sends a legal name for one that is %s, and gives the caller’s own back', (_how, name, rule) => {
    const { codec, sent } = createEcho();
    const legal = withLegalToolNames(codec, rule);
    const target = buildTarget();
    legal.encodeRequest(asked(name), target, createLossReport());
    const reported = encodeToolName(name, rule);

    expect(reported).toMatch(rule.legal);
    expect(sent[0]).toMatchObject({
      tools: [{ name: reported }],
      toolChoice: { name: reported },
      turns: [{ content: [{ name: reported }] }, { role: 'tool' }],
    });
    expect(legal.decodeReply('', target).choices[0]?.content).toMatchObject([{ type: 'tool-call', name }]);
    expect(legal.createStreamDecoder(target).push(Buffer.of())).toContainEqual(expect.objectContaining({ type: 'tool-call-start', name }));
  });

  it('leaves a request with legal names alone, also after one with others', () => {
    const { codec, sent } = createEcho();
    const legal = withLegalToolNames(codec, COMMON_TOOL_NAMES);
    const target = buildTarget();
    const request = asked('get-weather_2');
    legal.encodeRequest(asked('a.b'), target, createLossReport());
    legal.encodeRequest(request, target, createLossReport());

    expect(sent[1]).toBe(request);
    expect(legal.decodeReply('', target).choices[0]?.content).toMatchObject([{ name: 'get-weather_2' }]);
  });

  it('renames the tools a choice allows, and those only that need it', () => {
    const { codec, sent } = createEcho();
    const request = buildRequest({
      tools: [{ kind: 'function', name: 'now' }, { kind: 'custom', name: 'a b' }, { kind: 'web-search' }],
      toolChoice: { kind: 'allowed', mode: 'auto', names: ['now', 'a b'] },
    });
    withLegalToolNames(codec, COMMON_TOOL_NAMES).encodeRequest(request, buildTarget(), createLossReport());
    const reported = encodeToolName('a b', COMMON_TOOL_NAMES);

    expect(sent[0]).toMatchObject({
      tools: [{ name: 'now' }, { name: reported }, { kind: 'web-search' }],
      toolChoice: { names: ['now', reported] },
    });
  });

  it('never gives two tools one name', () => {
    const names = ['a.b', 'a/b', 'a b', `${LONG}1`, `${LONG}2`].map((name) => encodeToolName(name, COMMON_TOOL_NAMES));
    expect(new Set(names).size).toBe(names.length);
  });
});
