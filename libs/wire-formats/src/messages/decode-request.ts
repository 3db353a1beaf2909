import type { ChatRequest, ChatTurn, ReasoningOptions, ResponseFormat } from '@weir/canonical';
import { collectUnmapped } from '../fields/collect-unmapped';
import { decodeCacheMark } from '../fields/decode-cache-mark';
import { decodeEffort } from '../fields/decode-effort';
import { decodePlainFields } from '../fields/decode-plain-fields';
import { listKnownFields } from '../fields/known-fields';
import { readThinking } from '../fields/read-thinking';
import { dropAbsent } from '../fields/drop-absent';
import {
  findBoolean,
  findObject,
  findStrings,
  isObject,
  readName,
  readObject,
  refuseField,
  type JsonObject,
} from '../fields/field-readers';
import { decodeMessagesTurns, decodeSystem } from './decode-turns';
import { decodeMessagesToolChoice } from './decode-tool-choice';
import { decodeMessagesTools, isToolSearch } from './decode-tools';

const KNOWN = listKnownFields('messages', {
  top: ['system'],
  inside: { tools: ['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'] },
});

export function decodeMessagesRequest(body: Record<string, unknown>): ChatRequest {
  const model = readName(body['model'], 'model');
  if (body['max_tokens'] === undefined || body['max_tokens'] === null) refuseField('max_tokens', 'is required');
  const choice = decodeMessagesToolChoice(body['tool_choice']);
  return {
    model,
    turns: [...decodeSystemTurn(body['system']), ...decodeMessagesTurns(body['messages'])],
    stream: findBoolean(body, 'stream') ?? false,
    ...decodePlainFields(body, 'messages'),
    ...dropAbsent({
      stop: findStrings(body, 'stop_sequences'),
      tools: decodeMessagesTools(body),
      toolChoice: choice?.choice,
      hasParallelTools: choice?.hasParallelTools,
      responseFormat: decodeFormat(body),
      reasoning: decodeThinking(body),
      autoCache: decodeCacheMark(body, ''),
      unmapped: withToolSearch(body, collectUnmapped(body, KNOWN)),
    }),
  };
}

/** All tools are offered from the beginning, so the provider has nothing to search. */
function withToolSearch({ tools }: JsonObject, unmapped: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const isSearched = Array.isArray(tools) && tools.some((tool) => isObject(tool) && isToolSearch(tool));
  return isSearched ? { ...unmapped, 'tools.tool_search': true } : unmapped;
}

function decodeSystemTurn(system: unknown): ChatTurn[] {
  if (system === undefined || system === null || system === '') return [];
  const content = decodeSystem(system, 'system');
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

function decodeFormat(body: JsonObject): ResponseFormat | undefined {
  const config = findObject(body, 'output_config');
  const inConfig = config === undefined ? undefined : findObject(config, 'format', 'output_config');
  const path = inConfig === undefined ? 'output_format' : 'output_config.format';
  const format = inConfig ?? findObject(body, 'output_format');
  if (format === undefined) return undefined;
  if (format['type'] !== 'json_schema') return refuseField(`${path}.type`, 'must be "json_schema"');
  return { kind: 'json-schema', schema: readObject(format['schema'], `${path}.schema`) };
}

/** Callers of this dialect send thinking back, so they want the state that makes it acceptable. */
function decodeThinking(body: JsonObject): ReasoningOptions | undefined {
  const config = findObject(body, 'output_config');
  const asked = config?.['effort'];
  const effort = asked === undefined || asked === null ? undefined : decodeEffort(asked, 'output_config.effort');
  const thinking = findObject(body, 'thinking');
  if (thinking === undefined) return effort === undefined ? undefined : { effort };
  return { ...readThinking(thinking), ...dropAbsent({ effort }) };
}
