import {
  createOriginalBody,
  editBody,
  editOriginal,
  readMember,
  stringifyExactJson,
  type ChatRequest,
  type LossReport,
  type OriginalBody,
  type ReasoningEffort,
  type ResponseFormat,
} from '@weir/canonical';
import { invariant } from '@weir/errors';
import type { EncodedCall, ExpressCall, ProviderTarget } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import { encodeEndUser } from '../../wire/encode-end-user';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { encodeFields, refuseFields, reportDroppedFields } from '../../fields/field-uses';
import { encodeCallId, encodeInput } from './encode-input';
import { FIELDS } from './fields';
import { moveFileAddresses } from './move-file-addresses';
import { encodeToolChoice, encodeTools } from './encode-tools';
import type { EncodeContext } from './context';

const PATH = '/responses';

/** A request as the Responses API takes it, without anything being stored there. */
export function encodeRequest(request: ChatRequest, context: EncodeContext): EncodedCall {
  const { target, losses } = context;
  refuseFields(request, FIELDS);
  const tools = encodeTools(request, context);
  const format = encodeFormat(request.responseFormat, context);
  const text = withoutUndefined({ format, verbosity: request.verbosity });
  const include = encodeInclude(request, context);
  const body = withoutUndefined({
    model: target.attempt.upstreamModel,
    input: encodeInput(request.turns, context),
    stream: request.stream ? true : undefined,
    store: false,
    include: include.length === 0 ? undefined : include,
    ...encodeFields(request, FIELDS, context),
    tools,
    tool_choice: tools === undefined ? undefined : encodeToolChoice(request),
    parallel_tool_calls: tools === undefined ? undefined : request.hasParallelTools,
    max_tool_calls: request.tools?.find((tool) => tool.kind === 'web-search')?.usesMax,
    text: Object.keys(text).length === 0 ? undefined : text,
    reasoning: encodeReasoning(request, context),
    user: encodeEndUser(request.endUserId, losses),
    prompt_cache_key: request.cacheKey,
  });
  reportDroppedFields(request, FIELDS, losses);
  return { path: PATH, body: stringifyExactJson(body) };
}

function encodeInclude(request: ChatRequest, { target }: EncodeContext): string[] {
  return [
    ...(target.model.supportsReasoning ? ['reasoning.encrypted_content'] : []),
    ...(request.tools?.some((tool) => tool.kind === 'web-search') === true ? ['web_search_call.action.sources'] : []),
    ...(request.topLogprobs === undefined ? [] : ['message.output_text.logprobs']),
  ];
}

function encodeFormat(format: ResponseFormat | undefined, { target }: EncodeContext): JsonRecord | undefined {
  if (format === undefined || format.kind === 'text') return undefined;
  if (format.kind === 'json') return { type: 'json_object' };
  if (!target.model.supportsJsonSchema) throw unsupported('response_format', 'A response format with a JSON schema');
  const { schema, description, isStrict } = format;
  return withoutUndefined({ type: 'json_schema', name: format.name ?? 'answer', description, schema, strict: isStrict });
}

function encodeReasoning(request: ChatRequest, { target, losses }: EncodeContext): JsonRecord | undefined {
  const wish = request.reasoning;
  if (wish === undefined) return undefined;
  const effort = effortOf(request, losses);
  if (!target.model.supportsReasoning) {
    if (effort !== undefined && effort !== 'none') losses.dropped.add('reasoning_effort');
    return undefined;
  }
  const reasoning = withoutUndefined({ effort, summary: wish.summary });
  return Object.keys(reasoning).length === 0 ? undefined : reasoning;
}

function effortOf(request: ChatRequest, losses: LossReport): ReasoningEffort | undefined {
  const { effort, mode, budgetTokens } = request.reasoning ?? {};
  if (effort !== undefined) return effort;
  if (mode === 'disabled') return 'none';
  if (budgetTokens === undefined) return undefined;
  losses.approximated.add('reasoning');
  return budgetTokens <= 2048 ? 'low' : budgetTokens <= 10_000 ? 'medium' : 'high';
}

/** Members of a request that the count of its prompt does not know: they are about the reply. */
// prettier-ignore
const ABOUT_THE_REPLY: ReadonlySet<string> = new Set([
  'stream', 'stream_options', 'background', 'store', 'include', 'max_output_tokens', 'max_tool_calls', 'temperature', 'top_p',
  'top_logprobs', 'presence_penalty', 'frequency_penalty', 'service_tier', 'user', 'safety_identifier', 'prompt_cache_key',
  'prompt_cache_retention', 'metadata', 'client_metadata', 'weir', 'requesty',
]);

/** The caller's own body for the provider's count of its prompt. */
export function encodeCount(body: OriginalBody, target: ProviderTarget): EncodedCall {
  const { body: encoded } = encodeOriginal(body, target, false);
  const original = createOriginalBody(encoded.toString());
  invariant(original !== undefined, 'an edited body is a JSON object');
  return { path: `${PATH}/input_tokens`, body: editBody(original, { set: new Map(), remove: ABOUT_THE_REPLY }) };
}

/** The caller's own body: only the model's name changes, addresses of files move, and members that only this gateway knows go. */
export function encodeOriginal(body: OriginalBody, target: ProviderTarget, stream: boolean): ExpressCall {
  const set = new Map([['model', JSON.stringify(target.attempt.upstreamModel)]]);
  if ((readMember(body, 'stream') === 'true') !== stream) set.set('stream', String(stream));
  const input = moveFileAddresses(body);
  if (input !== undefined) set.set('input', input);
  const edit = { set, remove: new Set(['weir', 'requesty']) };
  const mayHoldLong = body.outline.includes('"call_id"') || input?.includes('"call_id"') === true;
  return { path: PATH, body: mayHoldLong ? shortenCallIds(editBody(body, edit)) : editOriginal(body, edit) };
}

/** Inside of strings quotes are escaped, so this finds members only. Calls that another provider made may have such ids. */
const LONG_CALL_ID = /("call_id"\s*:\s*)"([^"\\]{65,})"/g;

function shortenCallIds(text: string): string {
  return text.replace(LONG_CALL_ID, (_whole, head: string, id: string) => `${head}"${encodeCallId(id)}"`);
}
