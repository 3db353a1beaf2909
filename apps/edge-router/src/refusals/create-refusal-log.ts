import type { Refusal, RefusalStore } from '@weir/database';
import type { GatewayError } from '@weir/errors';
import type { RequestScope } from '@weir/http-server';
import { redactSecrets, type Logger } from '@weir/telemetry';

type RefusalLogParts = { readonly store: RefusalStore; readonly now: () => number; readonly log: Logger };

/** Refusals for people to look at: kept in the background, and never so many that they cost more than they show. */
export type RefusalLog = {
  /** Called with what ends a request, whatever it is; keeps what its organization can do something about. */
  note(error: GatewayError, scope: RequestScope): void;
  /** Writes what is left. */
  close(): Promise<void>;
};

/** Who may, what is left, what there is, too many, too busy. What is wrong with a request itself its caller has been shown, and may quote it. */
const STATUSES: ReadonlySet<number> = new Set([402, 403, 404, 412, 429, 503]);
const PER_MINUTE_MAX = 60;
const WAITING_MAX = 1_000;
const WRITE_EVERY_MS = 1_000;
const PURGE_EVERY_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MESSAGE_CHARS_MAX = 500;

export function createRefusalLog({ store, now, log }: RefusalLogParts): RefusalLog {
  let waiting: Refusal[] = [];
  let minute = 0;
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let purgedAtMs = -Infinity;

  const isWithinBounds = (organizationId: string): boolean => {
    const current = Math.floor(now() / MINUTE_MS);
    if (current !== minute) counts.clear();
    minute = current;
    const count = (counts.get(organizationId) ?? 0) + 1;
    counts.set(organizationId, count);
    return count <= PER_MINUTE_MAX && waiting.length < WAITING_MAX;
  };

  const write = async (): Promise<void> => {
    const refusals = waiting;
    waiting = [];
    timer = undefined;
    try {
      if (refusals.length > 0) await store.write(refusals);
      if (now() - purgedAtMs < PURGE_EVERY_MS) return;
      purgedAtMs = now();
      await store.purge();
    } catch (error) {
      log.warn({ error, refusals: refusals.length }, 'refusals could not be kept');
    }
  };

  return {
    note: (error, scope) => {
      const { organizationId, apiKeyId, model } = scope.notes;
      if (organizationId === undefined || apiKeyId === undefined) return;
      if (error.origin !== 'router' || !STATUSES.has(error.status) || !isWithinBounds(organizationId)) return;
      waiting.push({
        ...{ organizationId, apiKeyId, requestId: scope.id, atMs: now(), endpoint: scope.endpoint.id, model: model ?? null },
        ...{ status: error.status, code: error.code, message: redactSecrets(error.message).slice(0, MESSAGE_CHARS_MAX) },
        limit: error.details.limit ?? null,
      });
      timer ??= setTimeout(() => void (writing = write()), WRITE_EVERY_MS).unref();
    },
    close: async () => {
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}
