import { stringifyExactJson, type ChatRequest, type LossReport, type ResponseFormat } from '@weir/canonical';
import type { EncodedCall } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { refuseFields, reportDroppedFields } from '../../fields/field-uses';
import type { CallNotes } from './call-notes';
import { encodeCachePoint } from './encode-blocks';
import { encodeModelFields } from './encode-model-fields';
import { createDocumentNames } from './encode-names';
import { encodeToolConfig, listOfferedTools } from './encode-tools';
import { encodeTurns } from './encode-turns';
import { findModelTraits } from './model-traits';
import type { EncodeContext } from './context';
import { FIELDS } from './fields';

/** What the model's maker calls the stop sequence that was met, streamed and whole. */
const RESPONSE_FIELDS = ['/stop_sequence', '/delta/stop_sequence'];
const METADATA_VALUE = /^[a-zA-Z0-9\s:_@$#=/+,.-]{1,256}$/;

type Encoded = { readonly call: EncodedCall; readonly notes: CallNotes };

/** A request in the words of Converse, whichever maker's model it goes to. */
export function encodeRequest(
  request: ChatRequest,
  { family, target, losses }: Pick<EncodeContext, 'family' | 'target' | 'losses'>,
): Encoded {
  refuseFields(request, FIELDS);
  const traits = findModelTraits(target.attempt.upstreamModel);
  const hasAnswerTool = request.responseFormat?.kind === 'json-schema' && !traits.hasTextFormat;
  const isToolless = !hasAnswerTool && listOfferedTools(request).length === 0;
  const context = { family, target, losses, traits, hasAnswerTool, isToolless, nameDocument: createDocumentNames() };
  const { system, messages } = encodeTurns(request.turns, context);
  const textFormat = encodeFormat(request.responseFormat, system, context);
  const { inferenceConfig, additional } = encodeModelFields(request, context);
  if (request.autoCache !== undefined) cacheAll(messages, request.autoCache, context);
  const body = withoutUndefined({
    messages,
    system: system.length === 0 ? undefined : system,
    inferenceConfig: orAbsent(inferenceConfig),
    toolConfig: encodeToolConfig(request, context),
    additionalModelRequestFields: orAbsent(additional),
    additionalModelResponseFieldPaths: traits.isClaude ? RESPONSE_FIELDS : undefined,
    outputConfig: textFormat === undefined ? undefined : { textFormat },
    serviceTier: encodeTier(request.serviceTier, losses),
    requestMetadata: encodeMetadata(request.endUserId, losses),
  });
  reportDroppedFields(request, FIELDS, losses);
  const verb = request.stream ? 'converse-stream' : 'converse';
  const path = `/model/${encodeURIComponent(target.attempt.upstreamModel)}/${verb}`;
  return { call: { path, body: stringifyExactJson(body) }, notes: takeNotes(request, hasAnswerTool) };
}

function orAbsent(record: JsonRecord): JsonRecord | undefined {
  return Object.keys(record).length === 0 ? undefined : record;
}

function cacheAll(messages: readonly JsonRecord[], mark: { readonly ttl?: '5m' | '1h' }, context: EncodeContext): void {
  const content = messages.at(-1)?.['content'] as JsonRecord[] | undefined;
  if (content !== undefined && content.at(-1)?.['cachePoint'] === undefined) content.push(...encodeCachePoint(mark, context));
}

function encodeFormat(format: ResponseFormat | undefined, system: JsonRecord[], context: EncodeContext): JsonRecord | undefined {
  if (format === undefined || format.kind === 'text') return undefined;
  if (format.kind === 'json') {
    system.push({ text: 'Answer with one JSON object and nothing else.' });
    context.losses.approximated.add('response_format');
    return undefined;
  }
  const canAnswer = context.traits.hasTextFormat || context.traits.canForceTools;
  if (!context.target.model.supportsJsonSchema || !canAnswer) throw unsupported('response_format', 'A response format with a JSON schema');
  if (context.hasAnswerTool) return undefined;
  const { name, description, schema } = format;
  return { type: 'json_schema', structure: { jsonSchema: withoutUndefined({ schema: stringifyExactJson(schema), name, description }) } };
}

const TIERS: ReadonlyMap<string, string> = new Map([
  ['default', 'default'],
  ['standard_only', 'default'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['fast', 'priority'],
  ['reserved', 'reserved'],
]);

function encodeTier(tier: string | undefined, losses: LossReport): JsonRecord | undefined {
  if (tier === undefined || tier === 'auto') return undefined;
  const type = TIERS.get(tier);
  if (type === undefined) losses.dropped.add('service_tier');
  return type === undefined ? undefined : { type };
}

function encodeMetadata(endUserId: string | undefined, losses: LossReport): JsonRecord | undefined {
  if (endUserId === undefined) return undefined;
  if (METADATA_VALUE.test(endUserId)) return { user: endUserId };
  losses.dropped.add('user');
  return undefined;
}

function takeNotes({ tools }: ChatRequest, hasAnswerTool: boolean): CallNotes {
  const custom = (tools ?? []).filter((tool) => tool.kind === 'custom').map((tool) => tool.name);
  return { customTools: new Set(custom), hasAnswerTool };
}
