import { stringifyExactJson } from '@weir/canonical';
import type { BlockEvent } from '../stream/block-events';
import type { ReplyContext } from '../dialect/wire-format';
import { CALLS_DROPPED } from './encode-finish';
import { encodeToolStateDetail } from './encode-reasoning';

type ToolCallEncoder = { encode(event: BlockEvent): void };

type ToolCallSink = {
  readonly isLegacy: boolean;
  /** Takes the JSON text of a delta. */
  emit(delta: string): void;
  nextDetail(): number;
  readonly noteDropped: ReplyContext['noteDropped'];
};

/** The deltas of the tool calls of one choice; `index` counts the calls from 0. Expects one call after the other. */
export function createToolCallEncoder({ isLegacy, emit, nextDetail, noteDropped }: ToolCallSink): ToolCallEncoder {
  let count = 0;
  let prefix = '';
  let suffix = '';

  function begin(event: Extract<BlockEvent, { type: 'tool-call-start' }>): void {
    const index = count;
    count += 1;
    if (isLegacy) return beginLegacy(event.name, index);
    const isCustom = event.kind === 'custom';
    const call = isCustom
      ? { index, id: event.id, type: 'custom', custom: { name: event.name, input: '' } }
      : { index, id: event.id, type: 'function', function: { name: event.name, arguments: '' } };
    emit(JSON.stringify({ tool_calls: [call] }));
    prefix = `{"tool_calls":[{"index":${index},${isCustom ? '"custom":{"input":' : '"function":{"arguments":'}`;
    suffix = '}}]}';
    if (event.state !== undefined) {
      emit(stringifyExactJson({ reasoning_details: [encodeToolStateDetail(event.id, event.state, nextDetail())] }));
    }
  }

  /** The older form can hold one call. */
  function beginLegacy(name: string, index: number): void {
    suffix = '}}';
    prefix = index === 0 ? '{"function_call":{"arguments":' : '';
    if (index > 0) noteDropped?.(CALLS_DROPPED);
    else emit(JSON.stringify({ function_call: { name, arguments: '' } }));
  }

  function encode(event: BlockEvent): void {
    if (event.type === 'tool-call-start') begin(event);
    else if (event.type === 'tool-call-delta' && event.argumentsText !== '' && prefix !== '') {
      emit(`${prefix}${JSON.stringify(event.argumentsText)}${suffix}`);
    }
  }

  return { encode };
}
