import type { Usage } from '@weir/canonical';
import type { ChatStreamDecoder } from '../../provider/provider';
import { toStreamFailure, unreadableStream } from '../../failures/stream-failure';
import { createEventLog, type EventLog } from '../../streams/create-event-log';
import { createFrameDecoder } from '../../streams/create-frame-decoder';
import type { PlainTextRules } from '../../streams/plain-texts';
import { asRecord, asText, parseExact, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { withTier } from '../../wire/with-tier';
import { decodeFinish, toSeconds, type DecodeContext } from './decode-items';
import { addHostedCalls } from './hosted-calls';
import { createItemStreams, type ItemStreams } from './item-streams';
import { readUsage } from './read-usage';

const PLAIN: PlainTextRules = { words: { 'text-delta': 'delta', 'reasoning-delta': 'delta' }, varying: ['sequence_number', 'obfuscation'] };

/** The events of a streamed response as ours. Items are identified by their place in the output: ids may change. */
export function createStreamDecoder(context: DecodeContext): ChatStreamDecoder {
  const log = createEventLog();
  const stream: Stream = {
    log,
    context,
    items: createItemStreams(log, context),
    hasStarted: false,
    usage: undefined,
    tier: undefined,
    output: undefined,
  };
  return createFrameDecoder(log, {
    plain: PLAIN,
    take(data) {
      if (data === '[DONE]') return;
      const event = asRecord(parseExact(data));
      if (event === undefined) log.close(unreadableStream());
      else if (typeof event['type'] === 'string') takeEvent(stream, event);
      else if (event['error'] !== undefined) log.close(toStreamFailure(event));
    },
    end() {
      // A response that is whole says so itself.
    },
    learn(whole) {
      stream.usage = whole['usage'];
      stream.tier = whole['service_tier'];
      stream.output = whole['output'];
    },
    reported: () => readUsed(stream),
  });
}

type Stream = {
  readonly log: EventLog;
  readonly context: DecodeContext;
  readonly items: ItemStreams;
  hasStarted: boolean;
  usage: unknown;
  tier: unknown;
  /** Of an answer that came in one piece. */
  output: unknown;
};

function readUsed({ usage, tier, output, items }: Stream): Usage | null {
  return addHostedCalls(withTier(readUsage(usage), tier), output ?? items.hosted());
}

function takeEvent(stream: Stream, event: JsonRecord): void {
  const response = asRecord(event['response']) ?? {};
  stream.usage = response['usage'] ?? stream.usage;
  stream.tier = response['service_tier'] ?? stream.tier;
  switch (event['type']) {
    case 'response.created':
    case 'response.queued':
    case 'response.in_progress':
      return start(stream, response);
    case 'response.completed':
    case 'response.incomplete':
      return finish(stream, response);
    case 'response.failed':
    case 'response.cancelled':
      return stream.log.close(toStreamFailure(asRecord(response['error']) === undefined ? {} : { error: response['error'] }));
    case 'error':
      return stream.log.close(toStreamFailure(event));
    default:
      start(stream, response);
      stream.items.take(event);
  }
}

function start(stream: Stream, response: JsonRecord): void {
  if (stream.hasStarted) return;
  stream.hasStarted = true;
  const serviceTier = asText(response['service_tier']);
  stream.log.add({
    type: 'start',
    id: asText(response['id']) ?? mintId('resp_'),
    model: asText(response['model']) ?? stream.context.fallbackModel,
    createdAtSeconds: toSeconds(response['created_at']),
    ...(serviceTier === undefined ? {} : { serviceTier }),
  });
}

function finish(stream: Stream, response: JsonRecord): void {
  const { log, items } = stream;
  start(stream, response);
  items.closeAll();
  log.add({ type: 'finish', choice: 0, finish: decodeFinish(response, items.hasToolCalls()) });
  const usage = readUsed(stream);
  if (usage !== null) log.add({ type: 'usage', usage });
  log.close({ type: 'end' });
}
