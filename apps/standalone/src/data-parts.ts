import type { ChangeNotices, ProcessReports, ReplyCache } from '@weir/access';
import type { Database } from '@weir/database';
import type { UsageBus } from '@weir/event-bus';
import type { CounterOwner, FreeModelDays, HoldStore, RateLimiter } from '@weir/limits';
import type { Circuit } from '@weir/redis-stores';
import type { MetricsRegistry } from '@weir/telemetry';
import type { WatermarkStore } from '@weir/usage';

/** The parts that keep or carry data: embedded ones, or real ones where the environment names them. */
export type DataParts = {
  /** Of the database. */
  readonly url: string;
  readonly database: Database;
  readonly bus: UsageBus;
  readonly watermarks: WatermarkStore;
  readonly changeNotices: ChangeNotices;
  readonly rates: RateLimiter;
  readonly freeModelDays: FreeModelDays;
  readonly replyCache: ReplyCache;
  /** What processes that call providers report of them. */
  readonly processReports: ProcessReports;
  readonly holdStore: HoldStore;
  /** Whether what is counted here counts; undefined where Redis counts. */
  readonly counters: (Pick<CounterOwner, 'check' | 'describe'> & Partial<Pick<CounterOwner, 'lost'>>) | undefined;
  /** Null where holds are kept in memory. */
  readonly holdCircuit: Circuit | null;
  /** Shows in metrics how shared counters reply; nothing where they are in memory. */
  showIn(registry: MetricsRegistry): void;
  close(): Promise<void>;
};

/** What a process needs that only reads the database and shares what counts: no bus. */
export type ServingData = Omit<DataParts, 'bus' | 'url'>;

/** What processes share, where each of several opens it. */
export type SharedParts = Omit<ServingData, 'database'>;
