import type { Citation, Usage } from '@weir/canonical';
import type { ChatStreamDecoder } from '../provider/provider';
import { hasFailure, toStreamFailure, unreadableStream } from '../failures/stream-failure';
import { createEventLog, type EventLog } from '../streams/create-event-log';
import { createFrameDecoder } from '../streams/create-frame-decoder';
import type { PlainTextRules } from '../streams/plain-texts';
import { asArray, asRecord, asText, parseExact, type JsonRecord } from '../wire/json-value';
import { mintId } from '../wire/mint-id';
import { withTier } from '../wire/with-tier';
import { createChoiceStream, type ChoiceStream } from './choice-stream';
import { readSources } from './decode-message';
import { findUsage, toSeconds, type DecodeContext } from './decode-reply';
import { readUsage } from './read-usage';

const DONE = '[DONE]';

const PLAIN: PlainTextRules = {
  words: { 'text-delta': 'content', 'reasoning-delta': 'reasoning_content' },
  varying: ['obfuscation'],
  more: ['"annotations"', '"reasoning_details"'],
};

/**
 * Chunks of chat completions as events. What a provider may say early, twice or late (finish reasons, usage, sources)
 * is kept and emitted once, when the stream ends: at `[DONE]`, or at its orderly end after every choice has finished.
 */
export function createStreamDecoder(context: DecodeContext): ChatStreamDecoder {
  const log = createEventLog();
  const reply: Reply = {
    log,
    context,
    choices: new Map(),
    hasStarted: false,
    usage: undefined,
    tier: undefined,
    sources: [],
    promptVerdicts: undefined,
  };
  return createFrameDecoder(log, {
    plain: PLAIN,
    take(data) {
      if (data === DONE) {
        if (reply.hasStarted) finish(reply);
        else log.close(unreadableStream());
        return;
      }
      const chunk = asRecord(parseExact(data));
      if (chunk === undefined) log.close(unreadableStream());
      else takeChunk(reply, chunk);
    },
    end() {
      const isComplete = reply.choices.size > 0 && [...reply.choices.values()].every((choice) => choice.hasFinished());
      if (isComplete) finish(reply);
    },
    learn(whole) {
      reply.usage = findUsage(whole, asRecord(asArray(whole['choices'])[0]));
      reply.tier = asText(whole['service_tier']);
    },
    reported: () => readUsed(reply),
  });
}

type Reply = {
  readonly log: EventLog;
  readonly context: DecodeContext;
  readonly choices: Map<number, ChoiceStream>;
  hasStarted: boolean;
  usage: unknown;
  tier: string | undefined;
  sources: readonly Citation[];
  /** Of content filters, which may come before any choice. */
  promptVerdicts: unknown;
};

function readUsed({ usage, tier, context }: Reply): Usage | null {
  return withTier(readUsage(usage, context.usage), tier, context.pricedTiers);
}

function takeChunk(reply: Reply, chunk: JsonRecord): void {
  const listed = asArray(chunk['choices']);
  const first = asRecord(listed[0]);
  reply.usage = findUsage(chunk, first) ?? reply.usage;
  noteBeside(reply, chunk);
  const failed = hasFailure(chunk) ? chunk : first !== undefined && hasFailure(first) ? first : undefined;
  if (failed !== undefined) return reply.log.close(toStreamFailure(failed));
  const named = readSources(chunk);
  if (named.length > 0) reply.sources = named;
  if (listed.length === 0) return;
  if (!reply.hasStarted) start(reply, chunk);
  for (const entry of listed) {
    const choice = asRecord(entry);
    if (choice !== undefined) takeChoice(reply, choice);
  }
}

function noteBeside(reply: Reply, chunk: JsonRecord): void {
  reply.tier = asText(chunk['service_tier']) ?? reply.tier;
  reply.promptVerdicts = chunk['prompt_filter_results'] ?? reply.promptVerdicts;
}

function start(reply: Reply, chunk: JsonRecord): void {
  reply.hasStarted = true;
  const serviceTier = asText(chunk['service_tier']);
  const systemFingerprint = asText(chunk['system_fingerprint']);
  reply.log.add({
    type: 'start',
    id: asText(chunk['id']) ?? mintId('chatcmpl-'),
    model: asText(chunk['model']) ?? reply.context.fallbackModel,
    createdAtSeconds: toSeconds(chunk['created']),
    ...(serviceTier === undefined ? {} : { serviceTier }),
    ...(systemFingerprint === undefined ? {} : { systemFingerprint }),
  });
}

function takeChoice({ log, context, choices }: Reply, reported: JsonRecord): void {
  const index = typeof reported['index'] === 'number' ? reported['index'] : 0;
  let choice = choices.get(index);
  if (choice === undefined) {
    choice = createChoiceStream({ log, choice: index, customTools: context.customTools, detailsFamily: context.detailsFamily });
    choices.set(index, choice);
  }
  choice.take(reported);
}

function finish(reply: Reply): void {
  const { log, choices, sources } = reply;
  const all = [...choices.values()];
  if (all.some((choice) => choice.hasFailed())) return log.close(toStreamFailure({}));
  for (const choice of all) choice.close(sources, reply.promptVerdicts);
  for (const choice of all) choice.finish();
  const read = readUsed(reply);
  if (read !== null) log.add({ type: 'usage', usage: read });
  log.close({ type: 'end' });
}
