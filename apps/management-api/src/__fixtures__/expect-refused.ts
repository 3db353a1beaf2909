import type { LimitDocument, UsageEvent } from '@weir/contracts';

const HOUR_MS = 3_600_000;

/** Events of requests, and what their label sets say of the label `team`. */
export type PlayedRequests = { readonly events: readonly UsageEvent[]; readonly labelOf: ReadonlyMap<string, string> };

export type PlayedLimit = Pick<LimitDocument, 'scope' | 'measure'> & Partial<LimitDocument> & { readonly amount: string };

type Request = { readonly first: UsageEvent; readonly attempts: readonly UsageEvent[] };

/** What a limit refuses, thought out again: each request is compared with all before it. */
export function expectRefused(
  made: PlayedRequests,
  limit: PlayedLimit,
  { startMs, timeZone }: { readonly startMs: number; readonly timeZone: string },
): { bound: string[]; refused: string[] } {
  const requests = listRequests(made.events).filter(({ first }) => first.admitted_at >= startMs);
  const isTogether = createTogether(requests, limit, timeZone);
  const max = limit.measure === 'usd' ? BigInt(Math.round(Number(limit.amount) * 1e6)) * 1_000_000n : BigInt(limit.amount);
  const served: (Request & { readonly partition: string; readonly amount: bigint })[] = [];
  const bound: string[] = [];
  const refused: string[] = [];
  for (const request of requests) {
    const partition = bindPartition(request, limit, made.labelOf);
    if (partition === undefined) continue;
    const id = request.first.request_id;
    bound.push(id);
    const amount = amountOf(request, limit);
    const before = served.filter((one) => one.partition === partition && isTogether(one, request.first.admitted_at));
    const fits = before.reduce((sum, one) => sum + one.amount, amount) <= max;
    if (!fits) refused.push(id);
    if (fits || limit.action === 'alert') served.push({ ...request, partition, amount });
  }
  return { bound, refused };
}

function listRequests(events: readonly UsageEvent[]): Request[] {
  const byId = new Map<string, UsageEvent[]>();
  for (const event of events) byId.set(event.request_id, [...(byId.get(event.request_id) ?? []), event]);
  return [...byId.values()]
    .map((attempts) => ({ attempts, first: attempts[0] as UsageEvent }))
    .sort((a, b) => a.first.admitted_at - b.first.admitted_at);
}

function bindPartition({ first, attempts }: Request, limit: PlayedLimit, labelOf: PlayedRequests['labelOf']): string | undefined {
  if (!attempts.some((attempt) => isCounted(attempt, limit))) return undefined;
  if (limit.modalities?.includes(first.modality) === false) return undefined;
  if (limit.measure === 'concurrent_streams' && first.stream !== true) return undefined;
  return partitionOf(first, limit, labelOf) ?? undefined;
}

function partitionOf(event: UsageEvent, { scope, api_key_id: named }: PlayedLimit, labelOf: PlayedRequests['labelOf']) {
  if (scope === 'organization') return 'all';
  if (scope === 'key') return named === undefined || named === event.api_key_id ? event.api_key_id : null;
  if (scope === 'group') return event.group_id;
  if (scope === 'end_user') return event.end_user_id;
  return labelOf.get(event.key_label_set_id ?? '');
}

function isCounted({ model_used: model, provider_used: provider }: UsageEvent, { models, providers }: PlayedLimit): boolean {
  const isModel = models?.some((pattern) => model.startsWith(pattern.replace('*', ''))) ?? true;
  return isModel && (providers?.includes(provider) ?? true);
}

function amountOf({ attempts }: Request, limit: PlayedLimit): bigint {
  const counted = attempts.filter((attempt) => isCounted(attempt, limit));
  const sum = (of: (event: UsageEvent) => number): bigint => BigInt(counted.reduce((total, event) => total + of(event), 0));
  const read = ({ units }: UsageEvent): number => units.in + units.cached_in + units.cache_w5m;
  if (limit.measure === 'usd') return counted.reduce((total, event) => total + BigInt(event.cost_p), 0n);
  if (limit.measure === 'requests') return sum((event) => (event.logical ? 1 : 0));
  if (limit.measure === 'input_tokens') return sum(read);
  if (limit.measure === 'tokens') return sum((event) => read(event) + event.units.out);
  return 1n;
}

/** Whether a request still counts when another one is admitted. */
function createTogether(requests: readonly Request[], { window }: PlayedLimit, timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const locals = new Map(requests.map(({ first }) => [first.admitted_at, format.format(first.admitted_at)]));
  const isSame = (thenMs: number, atMs: number, chars: number): boolean =>
    locals.get(thenMs)?.slice(0, chars) === locals.get(atMs)?.slice(0, chars);
  return ({ first, attempts }: Request, atMs: number): boolean => {
    const thenMs = first.admitted_at;
    if (window === undefined) return Math.max(...attempts.map((event) => event.ended_at)) > atMs;
    if (window === 'hour') return isSame(thenMs, atMs, 13);
    if (window === 'day') return isSame(thenMs, atMs, 10);
    return window !== '24h' || Math.floor(atMs / HOUR_MS) - Math.floor(thenMs / HOUR_MS) <= 24;
  };
}
