import { asText, type JsonRecord } from '../wire/json-value';
import { mintId } from '../wire/mint-id';
import { unwrapCustomInput } from '../wire/remember-custom-tools';
import type { ChoiceStreamParts } from './choice-stream-parts';
import { readArguments, readCalled } from './decode-message';

/** The tool calls of one choice as they arrive in fragments. */
export type CallStreams = { take(fragment: JsonRecord): void; close(): void; count(): number };

type Call = {
  readonly id: string;
  name: string;
  readonly isNative: boolean;
  /** -1 until the name is known and the call has started. */
  block: number;
  /** What could not be emitted yet: before the start, and for free-form tools offered as functions. */
  buffered: string;
  isEmpty: boolean;
};

/**
 * Fragments are put together by id, then by index, then by order: some providers leave the index out, some reuse it for
 * every call, some repeat the id, and some send a new id with every fragment of one call. Calls may interleave.
 */
export function createCallStreams({ log, choice, customTools }: ChoiceStreamParts): CallStreams {
  const calls: Call[] = [];
  const byId = new Map<string, Call>();
  const byIndex = new Map<number, Call>();

  function create(id: string | undefined, index: number | undefined, isNative: boolean): Call {
    const call: Call = { id: id ?? mintId('call_'), name: '', isNative, block: -1, buffered: '', isEmpty: true };
    calls.push(call);
    if (id !== undefined) byId.set(id, call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  }

  function find(fragment: JsonRecord, name: string | undefined, isCustom: boolean): Call {
    const id = asText(fragment['id']);
    const index = typeof fragment['index'] === 'number' ? fragment['index'] : undefined;
    const known = (id === undefined ? undefined : byId.get(id)) ?? findUnnamed(id, index, name);
    return known ?? create(id, index, isCustom);
  }

  /** The call that a fragment without a known id continues, if it does. */
  function findUnnamed(id: string | undefined, index: number | undefined, name: string | undefined): Call | undefined {
    const atIndex = index === undefined ? undefined : byIndex.get(index);
    const beginsAnew = name !== undefined && (id !== undefined || index === undefined);
    if (atIndex !== undefined && !(beginsAnew && atIndex.name !== '')) return atIndex;
    // What has neither an id nor a name begins no call, though its index be another one.
    return name === undefined && (index === undefined || id === undefined) ? calls.at(-1) : undefined;
  }

  function begin(call: Call): void {
    call.block = log.nextBlock();
    const kind = call.isNative || customTools.has(call.name) ? 'custom' : 'function';
    log.add({ type: 'tool-call-start', choice, block: call.block, id: call.id, name: call.name, kind });
  }

  function isWrapped(call: Call): boolean {
    return !call.isNative && customTools.has(call.name);
  }

  function report(call: Call, text: string): void {
    if (text === '') return;
    call.isEmpty = false;
    if (call.block === -1 || isWrapped(call)) call.buffered += text;
    else log.add({ type: 'tool-call-delta', choice, block: call.block, argumentsText: text });
  }

  function release(call: Call, text: string): void {
    call.buffered = '';
    if (text !== '') log.add({ type: 'tool-call-delta', choice, block: call.block, argumentsText: text });
  }

  return {
    take(fragment) {
      const { isCustom, called } = readCalled(fragment);
      const name = asText(called['name']);
      const call = find(fragment, name, isCustom);
      if (call.name === '' && name !== undefined) {
        call.name = name;
        begin(call);
        if (!isWrapped(call)) release(call, call.buffered);
      }
      report(call, readArguments(called['arguments'] ?? called['input']));
    },
    close() {
      for (const call of calls) {
        if (call.block === -1) begin(call);
        if (isWrapped(call)) release(call, unwrapCustomInput(call.buffered));
        else if (call.buffered !== '') release(call, call.buffered);
        else if (call.isEmpty && !call.isNative) release(call, '{}');
        log.add({ type: 'tool-call-end', choice, block: call.block });
      }
    },
    count: () => calls.length,
  };
}
