import { TOPICS, type SequencedUsageEvent } from '@weir/contracts';
import type { RunningSpan, Tracing } from '@weir/telemetry';
import type { BatchSource, UsageStore } from '@weir/usage';

/** What a span may be linked to, by the limit that tracing has itself. */
const LINKS_MAX = 128;

/** A store that spans each batch it folds, linked to the attempts whose usage is in it; the store as it is where nothing is traced. */
export function traceBatches(store: UsageStore, tracing: Tracing | undefined): UsageStore {
  if (tracing === undefined) return store;
  return {
    ...store,
    applyBatch: async (events, source) => {
      const span = startSpan(tracing, events, source);
      try {
        const result = await store.applyBatch(events, source);
        const { applied, duplicates, deadLettered } = result;
        span.end({ 'weir.usage.applied': applied, 'weir.usage.duplicates': duplicates, 'weir.usage.dead_lettered': deadLettered });
        return result;
      } catch (error) {
        span.end({}, 'not_committed');
        throw error;
      }
    },
  };
}

function startSpan(tracing: Tracing, events: readonly SequencedUsageEvent[], source: BatchSource | null): RunningSpan {
  const destination = source?.topic ?? TOPICS.usage.name;
  const partition = source === null ? {} : { 'messaging.destination.partition.id': String(source.partition) };
  return tracing.startSpan({
    name: `process ${destination}`,
    kind: 'consumer',
    parent: undefined,
    links: findLinks(events),
    attributes: {
      'messaging.system': source === null ? 'in_process' : 'kafka',
      'messaging.operation.type': 'process',
      'messaging.destination.name': destination,
      'messaging.batch.message_count': events.length,
      ...partition,
    },
  });
}

function findLinks(events: readonly SequencedUsageEvent[]): readonly string[] {
  const links = new Set<string>();
  for (const { payload } of events) {
    if (links.size === LINKS_MAX) break;
    // Most have none: those are not parsed for it.
    const link = payload.includes('"traceparent"') ? readTraceParent(payload) : undefined;
    if (link !== undefined) links.add(link);
  }
  return [...links];
}

function readTraceParent(payload: string): string | undefined {
  try {
    const { traceparent } = JSON.parse(payload) as { traceparent?: unknown };
    return typeof traceparent === 'string' ? traceparent : undefined;
  } catch {
    // The store sets aside what it cannot read, and says so.
    return undefined;
  }
}
