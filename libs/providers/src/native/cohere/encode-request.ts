import { stringifyExactJson, type ChatRequest, type ReasoningEffort, type ReasoningOptions, type ResponseFormat } from '@weir/canonical';
import type { EncodedCall } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import { schemaOfFormat } from '../../wire/schema-of-format';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { encodeFields, refuseFields, reportDroppedFields } from '../../fields/field-uses';
import { encodeMessages } from './encode-messages';
import { encodeTools } from './encode-tools';
import type { EncodeContext } from './context';
import { FIELDS } from './fields';

const PATH = '/chat';
/** The highest efforts have no budget: the model thinks as long as it likes. */
const BUDGETS: Readonly<Partial<Record<ReasoningEffort, number>>> = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 };

/** A request as version 2 of the chat API takes it. */
export function encodeRequest(request: ChatRequest, context: EncodeContext): EncodedCall {
  const { target, losses } = context;
  refuseFields(request, FIELDS);
  const body = withoutUndefined({
    model: target.attempt.upstreamModel,
    messages: encodeMessages(request.turns, context),
    stream: request.stream,
    ...encodeFields(request, FIELDS, context),
    ...encodeTools(request, context),
    response_format: encodeFormat(request.responseFormat, context),
    thinking: encodeThinking(request.reasoning, context),
  });
  reportDroppedFields(request, FIELDS, losses);
  return { path: PATH, body: stringifyExactJson(body) };
}

function encodeFormat(format: ResponseFormat | undefined, { target }: EncodeContext): JsonRecord | undefined {
  if (format === undefined || format.kind === 'text') return undefined;
  if (format.kind === 'json') return { type: 'json_object' };
  if (!target.model.supportsJsonSchema) throw unsupported('response_format', 'A response format with a JSON schema');
  return { type: 'json_object', json_schema: schemaOfFormat(format) };
}

function encodeThinking(wish: ReasoningOptions | undefined, { target, losses }: EncodeContext): JsonRecord | undefined {
  if (wish === undefined || (wish.effort === undefined && wish.budgetTokens === undefined && wish.mode === undefined)) return undefined;
  const isOff = wish.effort === 'none' || wish.mode === 'disabled';
  if (!target.model.supportsReasoning) {
    if (!isOff) losses.dropped.add('reasoning_effort');
    return undefined;
  }
  if (isOff) return { type: 'disabled' };
  const budget = wish.budgetTokens ?? (wish.effort === undefined ? undefined : BUDGETS[wish.effort]);
  return withoutUndefined({ type: 'enabled', token_budget: budget });
}
