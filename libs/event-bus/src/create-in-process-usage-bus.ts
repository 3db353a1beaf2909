import { BATCH_EVENTS_MAX, type BusLog, type UsageBatch, type UsageBus, type UsageHandler } from './usage-bus';
import { retryPauseMs } from './retry-pause';

type Waiting = { readonly batch: UsageBatch; readonly resolve: () => void; readonly reject: (error: Error) => void };

type InProcessBusOptions = {
  readonly log?: BusLog;
  /** How long to wait after the handler rejected for the given time in a row. */
  readonly pauseMs?: (failures: number) => number;
};

/**
 * The bus of a single process. `publish` resolves when the handler has committed, so the publisher's pace is the
 * handler's pace and nothing piles up between them. What is published before a consumer started waits for it.
 */
export function createInProcessUsageBus(options: InProcessBusOptions = {}): UsageBus {
  const state = new InProcessQueue(options);
  return {
    publisher: { publish: (events) => state.publish(splitBatches(events)), close: () => state.close() },
    consumer: { start: (handler) => state.start(handler), close: () => state.close() },
  };
}

function splitBatches(events: UsageBatch['events']): UsageBatch[] {
  const batches: UsageBatch[] = [];
  for (let start = 0; start < events.length; start += BATCH_EVENTS_MAX) {
    batches.push({ source: null, events: events.slice(start, start + BATCH_EVENTS_MAX) });
  }
  return batches;
}

class InProcessQueue {
  private readonly waiting: Waiting[] = [];
  private handler: UsageHandler | undefined;
  private running: Promise<void> | undefined;
  private isClosed = false;
  private wakeFromPause: (() => void) | undefined;

  constructor(private readonly options: InProcessBusOptions) {}

  async publish(batches: readonly UsageBatch[]): Promise<void> {
    if (this.isClosed) throw new Error('the usage bus is closed');
    const taken = batches.map((batch) => new Promise<void>((resolve, reject) => this.waiting.push({ batch, resolve, reject })));
    this.run();
    await Promise.all(taken);
  }

  start(handler: UsageHandler): Promise<void> {
    if (this.handler !== undefined) return Promise.reject(new Error('the usage bus has a consumer already'));
    this.handler = handler;
    this.run();
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.wakeFromPause?.();
    await this.running;
    for (const { reject } of this.waiting.splice(0)) reject(new Error('the usage bus was closed'));
  }

  private run(): void {
    const handler = this.handler;
    if (handler === undefined || this.running !== undefined) return;
    this.running = this.drain(handler).finally(() => {
      this.running = undefined;
    });
  }

  private async drain(handler: UsageHandler): Promise<void> {
    let failures = 0;
    for (let next = this.waiting[0]; next !== undefined && !this.isClosed; next = this.waiting[0]) {
      try {
        await handler(next.batch);
        failures = 0;
        this.waiting.shift();
        next.resolve();
      } catch (error) {
        failures += 1;
        this.options.log?.error(
          { error, failures, events: next.batch.events.length },
          'a usage batch was not handled; it will be tried again',
        );
        if (!this.isClosed) await this.pause((this.options.pauseMs ?? retryPauseMs)(failures));
      }
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeFromPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
