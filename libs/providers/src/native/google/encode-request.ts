import { stringifyExactJson, type ChatRequest } from '@weir/canonical';
import type { EncodedCall } from '../../provider/target';
import { withoutUndefined } from '../../wire/json-value';
import { reportDroppedFields } from '../../fields/field-uses';
import { encodeContents } from './encode-contents';
import { encodeGeneration } from './encode-generation';
import { encodeToolConfig, encodeTools } from './encode-tools';
import type { EncodeContext } from './context';
import { FIELDS, TIERS } from './fields';

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
  reportDroppedFields(request, FIELDS, losses);
  const verb = request.stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return { path: `/models/${encodeURIComponent(target.attempt.upstreamModel)}:${verb}`, body: stringifyExactJson(body) };
}
