import type { ChatEvent, FinishReason } from '@weir/canonical';
import { explainInWords, type ErrorCode, type GatewayError } from '@weir/errors';
import { noteFinish } from '../reply/note-finish';
import { createBlockSequencer } from '../stream/block-sequencer';
import { decodeStreamFailure } from '../stream/decode-stream-failure';
import type { ChatStreamEncoder, PricedUsage, ReplyContext } from '../dialect/wire-format';
import { encodeEnd } from './encode-end';
import { encodeResponsesUsage } from './encode-usage';
import { createEventWriter } from './event-writer';
import { createItemEncoder, type ItemEncoder } from './item-encoder';
import { createItemContext } from './output-items';
import { createResponseObject, type ResponseEnd, type ResponseHead, type ResponseObject } from './response-object';

const CUT: FinishReason = { unified: 'error', upstream: null };
const NO_HEAD: ResponseHead = { id: '', model: '', createdAtSeconds: 0 };

/** Keeps all that was said, because the last event repeats the whole response. */
export function createResponsesStreamEncoder(context: ReplyContext): ChatStreamEncoder {
  const writer = createEventWriter();
  const items = createItemEncoder(writer, createItemContext(context));
  const sequencer = createBlockSequencer(items.encode);
  let response: ResponseObject | undefined;
  let finish = CUT;
  let usageJson: string | undefined;
  let isOver = false;

  function begin(head: ResponseHead): ResponseObject {
    response = createResponseObject(head, context);
    const started = `"response":${response.encode({ status: 'in_progress', output: [] })}`;
    writer.emit('response.created', started);
    writer.emit('response.in_progress', started);
    return response;
  }

  function end(terminal: Omit<ResponseEnd, 'output'>, cut: readonly string[] = []): string {
    isOver = true;
    const object = response ?? begin(NO_HEAD);
    writer.emit(`response.${terminal.status}`, `"response":${object.encode({ ...terminal, output: [...items.output, ...cut] })}`);
    return writer.take();
  }

  function fail(error: GatewayError): string {
    if (isOver) return '';
    // What was cut off is written as far as it got, and never as done: no one should act on half a call.
    const cut = items.peek();
    return end(
      { status: 'failed', error: { code: failureCode(error), message: explainInWords(error, 'gateway') } },
      cut === undefined ? [] : [cut],
    );
  }

  function encode(event: ChatEvent, priced?: PricedUsage): string {
    if (isOver) return '';
    switch (event.type) {
      case 'start':
        begin(event);
        return writer.take();
      case 'finish':
        if (event.choice !== 0) return '';
        finish = event.finish;
        noteFinish(finish, 'responses', context.noteDropped);
        sequencer.close();
        closeItems(items, finish);
        return writer.take();
      case 'usage':
        if (priced !== undefined) usageJson = encodeResponsesUsage(priced);
        return '';
      case 'end':
        return end({ ...encodeEnd(finish), ...(usageJson === undefined ? {} : { usageJson }) });
      case 'error':
        return fail(decodeStreamFailure(event));
      default:
        if (event.choice !== 0) return '';
        sequencer.push(event);
        return writer.take();
    }
  }

  return { encode, fail, heartbeat: ': ping\n\n' };
}

/** A provider that filters without words may still say why. */
function closeItems(items: ItemEncoder, finish: FinishReason): void {
  if (finish.unified === 'content-filter' && finish.explanation !== undefined && !items.message.hasRefused()) {
    items.encode({ type: 'refusal-delta', choice: 0, block: -1, text: finish.explanation });
    items.encode({ type: 'refusal-end', choice: 0, block: -1 });
  }
  items.close(encodeEnd(finish).status === 'completed' ? 'completed' : 'incomplete');
}

/** Nothing left to spend: clients give up on this word, and on no other that says it. */
const SPENT: ReadonlySet<ErrorCode> = new Set(['balance_exhausted', 'monthly_limit_reached', 'limit_reached', 'provider_quota_exhausted']);

/** Clients try a response again that failed for a reason that they do not know. */
function failureCode({ code, status, isRetryable }: GatewayError): string {
  if (code === 'provider_context_exceeded') return 'context_length_exceeded';
  if (SPENT.has(code)) return 'insufficient_quota';
  if (status === 429) return 'rate_limit_exceeded';
  return status < 500 && !isRetryable ? 'invalid_prompt' : 'server_error';
}
