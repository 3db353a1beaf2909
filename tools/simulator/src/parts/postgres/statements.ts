import { readBigint, readCopiedRows, readUuid, type CopiedRow } from './copied-rows';
import { formatRanges, parseRanges, unite } from './ranges';
import type { TableName, View } from './tables';

type Row = Readonly<Record<string, unknown>>;
export type Values = readonly unknown[];
export type Statement = (view: View, values: Values) => readonly Row[];

/** The elements of a Postgres array, which comes as its text or as an array. */
export function listOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value as string[];
  const text = String(value).slice(1, -1);
  return text === '' ? [] : text.split(',');
}

/** Hashes come as `"\\xab…"`. */
const hashesOf = (value: unknown): string[] => listOf(value).map((text) => text.replace(/^"\\+x|"$/g, ''));
const NOTHING: readonly Row[] = [];

/** A constraint is violated: the same again cannot succeed. */
export class UniqueViolation extends Error {}

/** Every statement by which usage is counted, by the name under which the product prepares it. */
export const STATEMENTS: Readonly<Record<string, Statement>> = {
  'weir-lock-offset': (view, [topic, partition]) => {
    const key = `${String(topic)} ${String(partition)}`;
    const known = view.get('offsets', key) ?? 0n;
    view.set('offsets', key, known);
    return [{ next_offset: String(known) }];
  },
  'weir-move-offset': (view, [topic, partition, next]) => {
    view.set('offsets', `${String(topic)} ${String(partition)}`, BigInt(String(next)));
    return NOTHING;
  },
  'weir-add-writers': (view, [ids]) => {
    for (const id of listOf(ids)) if (view.get('writers', id) === undefined) view.set('writers', id, { seen: [], epoch: 0 });
    return NOTHING;
  },
  'weir-lock-writers': (view, [ids]) => readWriters(view, ids),
  'weir-read-seen': (view, [ids]) => readWriters(view, ids),
  'weir-mark-seen': (view, [ids, ranges, epochs]) => {
    const fresh = listOf(ranges);
    const newEpochs = listOf(epochs);
    for (const [at, id] of listOf(ids).entries()) {
      const row = view.get('writers', id) ?? { seen: [], epoch: 0 };
      const seen = unite(row.seen, parseRanges(fresh[at] ?? ''));
      view.set('writers', id, { seen, epoch: Math.max(row.epoch, Number(newEpochs[at])) });
    }
    return NOTHING;
  },
  'weir-find-uncounted': findUncounted,
  'weir-add-dead-letters': (view, [writers, sequences, reasons, payloads]) => {
    const ids = listOf(writers);
    const places = listOf(sequences);
    const texts = payloads as readonly Buffer[];
    for (const [at, reason] of listOf(reasons).entries()) {
      view.set('deadLetters', `${ids[at]} ${places[at]} ${view.size('deadLetters')}`, { reason, payload: texts[at]?.toString() ?? '' });
    }
    return NOTHING;
  },
  'weir-copy-events': (view, [copied]) => addEvents(view, readCopiedRows(copied as Buffer)),
  'weir-count-series': (_view, [organizations, hours]) => {
    const starts = listOf(hours);
    return listOf(organizations).map((id, at) => ({ org_id: id, hour_seconds: starts[at], count: '0' }));
  },
  'weir-find-series': (view, [hashes]) =>
    hashesOf(hashes).flatMap((hash) => {
      const id = view.get('series', hash);
      return id === undefined ? [] : [{ hash, id }];
    }),
  'weir-add-series': (view, [hashes]) => {
    for (const hash of hashesOf(hashes)) {
      if (view.get('series', hash) === undefined) view.set('series', hash, String(view.size('series') + 1));
    }
    return NOTHING;
  },
  'weir-lock-hours': () => NOTHING,
  'weir-make-days-stale': () => NOTHING,
  'weir-add-hour': (view, values) => addMeasures(view, 'hours', values),
  'weir-add-day': (view, values) => addMeasures(view, 'days', values),
  'weir-add-month': (view, values) => addMeasures(view, 'months', values),
  'weir-add-spend': addSpend,
  'weir-add-limit-usage': addLimitUsage,
  'weir-add-free-days': (view, [organizations, days, counts]) => {
    const [starts, used] = [listOf(days), listOf(counts)];
    for (const [at, id] of listOf(organizations).entries()) {
      const key = `${id} ${starts[at]}`;
      view.set('freeDays', key, (view.get('freeDays', key) ?? 0) + Number(used[at]));
    }
    return NOTHING;
  },
};

function readWriters(view: View, ids: unknown): readonly Row[] {
  return listOf(ids).flatMap((id) => {
    const row = view.get('writers', id);
    return row === undefined ? [] : [{ writer_id: id, seen: formatRanges(row.seen) }];
  });
}

/** Of repeats, those whose place was counted for another event, and that are counted under no place. */
function findUncounted(view: View, [writers, sequences, , eventIds]: Values): readonly Row[] {
  const [places, ids] = [listOf(sequences), listOf(eventIds)];
  return listOf(writers).flatMap((writerId, at) => {
    const counted = view.get('events', `${writerId} ${places[at]}`);
    if (counted === undefined || counted.eventId === ids[at]) return [];
    for (const { eventId } of view.tables.events.values()) if (eventId === ids[at]) return [];
    return [{ at: at + 1 }];
  });
}

function addEvents(view: View, rows: readonly CopiedRow[]): readonly Row[] {
  for (const [writer, place, owner, , , event, request, payload] of rows) {
    const [writerId, sequence] = [readUuid(writer), String(readBigint(place))];
    const key = `${writerId} ${sequence}`;
    const row = { writerId, sequence, organizationId: readUuid(owner), eventId: String(event), requestId: String(request) };
    // As the table has it, one event may stand under several places: that it does not is what counting is for.
    const isTaken = view.get('events', key) !== undefined;
    view.set('events', isTaken ? `${key} ${view.size('events')}` : key, { ...row, payload: String(payload) });
  }
  return NOTHING;
}

function addMeasures(
  view: View,
  table: TableName & ('hours' | 'days' | 'months'),
  [organizations, periods, series, ...columns]: Values,
): readonly Row[] {
  const [starts, ids] = [listOf(periods), listOf(series)];
  const amounts = columns.map(listOf);
  for (const [at, organizationId] of listOf(organizations).entries()) {
    const key = `${organizationId} ${starts[at]} ${ids[at]}`;
    const known = view.get(table, key);
    view.set(
      table,
      key,
      amounts.map((column, place) => (known?.[place] ?? 0n) + BigInt(column[at] ?? 0)),
    );
  }
  return NOTHING;
}

function addSpend(view: View, [scopes, scopeIds, months, costs, requests]: Values): readonly Row[] {
  const [ids, starts, amounts, counts] = [listOf(scopeIds), listOf(months), listOf(costs), listOf(requests)];
  for (const [at, scope] of listOf(scopes).entries()) {
    const key = `${scope} ${ids[at]} ${starts[at]}`;
    const known = view.get('spend', key) ?? { costPico: 0n, requests: 0n, version: 0n };
    view.set('spend', key, {
      costPico: known.costPico + BigInt(amounts[at] ?? 0),
      requests: known.requests + BigInt(counts[at] ?? 0),
      version: known.version + 1n,
    });
  }
  return NOTHING;
}

function addLimitUsage(view: View, [organizations, scopes, , used]: Values): readonly Row[] {
  const [names, amounts] = [listOf(scopes), listOf(used)];
  for (const [at, organizationId] of listOf(organizations).entries()) {
    const key = `${organizationId} ${names[at]}`;
    const known = view.get('limitUsage', key) ?? { used: 0n, version: 0n };
    view.set('limitUsage', key, { used: known.used + BigInt(amounts[at] ?? 0), version: known.version + 1n });
  }
  return NOTHING;
}
