import { stringifyExactJson } from '@weir/canonical';
import { encodeReplyTier } from '../reply/encode-reply-tier';
import { isObject, type JsonObject } from '../fields/field-readers';
import { mintReplyId } from '../reply/mint-reply-id';
import type { ReplyContext } from '../dialect/wire-format';

/** What the response object says of the reply as a whole. */
export type ResponseHead = {
  readonly id: string;
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly serviceTier?: string | undefined;
};

export type ResponseEnd = {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly error?: { readonly code: string; readonly message: string };
  readonly incompleteReason?: string;
  /** JSON texts of the items. */
  readonly output: readonly string[];
  readonly usageJson?: string;
};

export type ResponseObject = { readonly id: string; encode(end: ResponseEnd): string };

/** Writes the response object of one reply; the echo of the request is put into text once, as streams send it thrice. */
export function createResponseObject(head: ResponseHead, context: ReplyContext): ResponseObject {
  const id = mintReplyId(head.id, 'resp_', context);
  const nowSeconds = Math.floor(context.nowMs / 1000);
  const createdAt = head.createdAtSeconds > 0 ? head.createdAtSeconds : nowSeconds;
  const model = head.model === '' ? context.modelId : head.model;
  const echo = stringifyExactJson(echoRequest(context.body, head.serviceTier)).slice(1, -1);

  function encode(end: ResponseEnd): string {
    const fixed = JSON.stringify({
      id,
      object: 'response',
      created_at: createdAt,
      completed_at: end.status === 'completed' ? Math.max(createdAt, nowSeconds) : null,
      status: end.status,
      error: end.error ?? null,
      incomplete_details: end.incompleteReason === undefined ? null : { reason: end.incompleteReason },
      model,
    });
    return `${fixed.slice(0, -1)},"output":[${end.output.join(',')}],${echo},"usage":${end.usageJson ?? 'null'}}`;
  }

  return { id, encode };
}

/** What each key of the echo says when the caller asked for nothing. */
const UNASKED: Readonly<Record<string, unknown>> = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  tool_choice: 'auto',
  metadata: {},
  user: null,
  safety_identifier: null,
  prompt_cache_key: null,
};

/** Every key the schema of the object requires; what was asked, or the default. Nothing is ever stored. */
function echoRequest(body: JsonObject, serviceTier: string | undefined): Record<string, unknown> {
  const asked = Object.entries(UNASKED).map(([name, unasked]) => [name, body[name] ?? unasked] as const);
  return {
    ...Object.fromEntries(asked),
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...asObject(body['reasoning']) },
    store: false,
    text: { format: { type: 'text' }, ...withoutNulls(asObject(body['text'])) },
    tools: Array.isArray(body['tools']) ? (body['tools'] as unknown[]).map(echoTool) : [],
    truncation: 'disabled',
    service_tier: encodeReplyTier(serviceTier) ?? 'default',
    background: false,
  };
}

function echoTool(tool: unknown): unknown {
  if (!isObject(tool) || tool['type'] !== 'function') return tool;
  return { ...tool, description: tool['description'] ?? null, parameters: tool['parameters'] ?? null, strict: tool['strict'] ?? null };
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
