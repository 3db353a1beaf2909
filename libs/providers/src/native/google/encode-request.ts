import { stringifyExactJson, type ChatRequest, type LossReport } from '@weir/canonical';
import type { EncodedCall } from '../../provider/target';
import { withoutUndefined } from '../../wire/json-value';
import { noteLostFields, type LosableField } from '../../wire/note-lost-fields';
import { encodeContents } from './encode-contents';
import { encodeGeneration } from './encode-generation';
import { encodeToolConfig, encodeTools } from './encode-tools';
import type { EncodeContext } from './context';

/** What the provider has no field for. */
const PLACELESS: readonly LosableField[] = ['logit_bias', 'verbosity', 'user', 'prompt_cache_key', 'cache_control', 'messages.citations'];

const TIERS: ReadonlyMap<string, string> = new Map([
  ['default', 'standard'],
  ['standard', 'standard'],
  ['standard_only', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['fast', 'priority'],
]);

/** A request as `generateContent` takes it. */
export function encodeRequest(request: ChatRequest, context: EncodeContext): EncodedCall {
  const { target, losses } = context;
  const { systemInstruction, contents } = encodeContents(request.turns, context);
  const generationConfig = encodeGeneration(request, context);
  const tools = encodeTools(request, context);
  const body = withoutUndefined({
    contents,
    systemInstruction,
    tools,
    toolConfig: encodeToolConfig(request),
    generationConfig: Object.keys(generationConfig).length === 0 ? undefined : generationConfig,
    serviceTier: TIERS.get(request.serviceTier ?? ''),
  });
  reportLost(request, losses);
  const verb = request.stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return { path: `/models/${encodeURIComponent(target.attempt.upstreamModel)}:${verb}`, body: stringifyExactJson(body) };
}

function reportLost(request: ChatRequest, losses: LossReport): void {
  const { serviceTier: tier } = request;
  noteLostFields(request, PLACELESS, losses);
  if (tier !== undefined && tier !== 'auto' && !TIERS.has(tier)) losses.dropped.add('service_tier');
  if (request.hasParallelTools === false) losses.dropped.add('parallel_tool_calls');
}
