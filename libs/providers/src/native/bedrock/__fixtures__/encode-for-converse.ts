import { createLossReport, type ChatRequest, type ContentBlock } from '@weir/canonical';
import { buildRequest, buildTarget } from '../../../__fixtures__/build-target';
import type { ModelFacts } from '../../../provider/target';
import { encodeRequest } from '../encode-request';

export type Json = Record<string, unknown>;
export type Body = Json & {
  messages: { role: string; content: Json[] }[];
  system?: Json[];
  toolConfig?: { tools: Json[]; toolChoice?: Json };
};
export type Options = { model?: string; facts?: Partial<ModelFacts> };

export const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
export const NOVA = 'us.amazon.nova-lite-v1:0';

export function encode(request: Partial<ChatRequest>, { model = CLAUDE, facts = {} }: Options = {}) {
  const losses = createLossReport();
  const target = buildTarget(model, { supportsReasoning: true, ...facts });
  const { call, notes } = encodeRequest(buildRequest(request), { family: 'converse', target, losses });
  return {
    path: call.path,
    body: JSON.parse(call.body) as Body,
    notes,
    dropped: [...losses.dropped],
    approximated: [...losses.approximated],
  };
}

export const text = (value: string, more: object = {}): ContentBlock => ({ type: 'text', text: value, ...more });
export const user = (...content: ContentBlock[]) => ({ role: 'user', content }) as const;
export const call = (id: string, argumentsText = '{}', name = 'f'): ContentBlock => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
});
export const result = (toolCallId: string, more: object = {}): ContentBlock => ({
  type: 'tool-result',
  toolCallId,
  content: [text('r')],
  ...more,
});
export const image = (mediaType: string): ContentBlock => ({ type: 'image', source: { kind: 'base64', mediaType, data: 'aGk=' } });
export const pdf = (filename?: string): ContentBlock => ({
  type: 'document',
  source: { kind: 'base64', mediaType: 'application/pdf', data: 'aGk=' },
  ...(filename === undefined ? {} : { filename }),
});
export const tools = [{ kind: 'function', name: 'f', parameters: { type: 'object' } }] as const;
