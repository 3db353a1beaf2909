import { createLogger, createMetricsRegistry } from '@weir/telemetry';
import { getEndpoint } from '@weir/contracts';
import { runService, type RunningService } from './run-service';
import { stopOnSignals, type AskToStop } from './stop-on-signals';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

function begin(runningRequests = 2) {
  const lines: { msg: string }[] = [];
  const log = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line: string) => void lines.push(JSON.parse(line) as { msg: string }) },
  });
  let end = (): void => undefined;
  const stop = jest.fn<Promise<void>, [number]>(() => new Promise((resolve) => (end = resolve)));
  const exit = jest.fn<void, [number]>();
  const ask: AskToStop = stopOnSignals({ stop, runningRequests: () => runningRequests }, { drainTimeoutMs: 120_000, log, exit });
  return {
    ask,
    exit,
    asked: () => stop.mock.calls.map(([timeoutMs]) => timeoutMs),
    messages: () => lines.map(({ msg }) => msg),
    end: () => end(),
  };
}

describe('a stop', () => {
  const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    for (const signal of SIGNALS) {
      for (const listener of process.listeners(signal)) if (before.get(signal)?.includes(listener) !== true) process.off(signal, listener);
    }
  });
  const send = (signal: (typeof SIGNALS)[number], afterMs = 0): void => {
    if (afterMs > 0) jest.advanceTimersByTime(afterMs);
    process.emit(signal, signal);
  };

  it.each([
    ['the end of the parent', (ask: AskToStop) => ask('the process that started it has ended')],
    ['the same signal at once, as npm passes it on', () => send('SIGTERM', 50)],
    ['a terminal that closes', () => send('SIGHUP', 5_000)],
  ])('is one stop when it is asked for again by %s', (_, again) => {
    const { ask, asked } = begin();
    send('SIGTERM');
    again(ask);
    expect(asked()).toEqual([120_000]);
  });

  it('is one stop when Ctrl-C comes twice at once, from the terminal and from npm, whatever is sent beside it later', () => {
    const { asked } = begin();
    send('SIGINT');
    send('SIGINT', 20);
    send('SIGTERM', 3_000);
    expect(asked()).toEqual([120_000]);
  });

  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGHUP', 'SIGINT'],
  ] as const)('does not wait any more when %s is followed by %s after a second', (first, second) => {
    const { asked, messages } = begin();
    send(first);
    send(second, 1_000);
    send(second, 1_000);
    expect(asked()).toEqual([120_000, 0]);
    expect(messages().at(-1)).toBe('stopping at once: 2 running requests cut');
  });

  it('is one stop when the signal comes twice to a process that has no turns meanwhile', async () => {
    jest.useRealTimers();
    const { asked } = begin();
    send('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const untilMs = performance.now() + 1_100;
    while (performance.now() < untilMs);
    // Sent at any moment of it.
    process.emit('SIGTERM', 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.emit('SIGTERM', 'SIGTERM');
    expect(asked()).toEqual([120_000]);
  });

  it('begins by the end of the parent as well, and Ctrl-C later still ends at once', () => {
    const { ask, asked } = begin();
    ask('the process that started it has ended');
    send('SIGINT', 2_000);
    expect(asked()).toEqual([120_000, 0]);
  });

  it('reports what it waits for, how long, how to end it, and that it stopped', async () => {
    const { messages, end, exit } = begin(1);
    send('SIGINT');
    jest.advanceTimersByTime(10_000);
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect(messages()).toEqual([
      'stopping: waiting for 1 running request, 120 s at most; Ctrl-C again ends at once',
      'stopping: still waiting for 1 running request, 115 s at most',
      'stopping: still waiting for 1 running request, 110 s at most',
      'stopped',
    ]);
    expect(exit.mock.calls).toEqual([[0]]);
  });

  it('says that nothing is running where that is so', () => {
    const { messages } = begin(0);
    send('SIGTERM');
    jest.advanceTimersByTime(10_000);
    expect(messages()).toEqual(['stopping: no request is running']);
  });
});

describe('a stop of a real service', () => {
  it('lets a request finish that runs when the signal comes twice, counts it meanwhile, and ends with 0', async () => {
    const listeners = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
    let finish = (): void => undefined;
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const closed = jest.fn(() => Promise.resolve());
    const service: RunningService = await runService({
      port: 0,
      host: '127.0.0.1',
      metricsPort: { asked: 0, usual: 0 },
      log: createLogger({ service: 'test', level: 'silent' }),
      registry: createMetricsRegistry(),
      hotRoutes: new Map([
        [
          'POST /v1/messages',
          {
            endpoint: getEndpoint('messages'),
            handle: (_request, response) => {
              finish = () => response.end('whole');
              begun();
              return Promise.resolve();
            },
          },
        ],
      ]),
      health: {},
      onStop: closed,
    });
    const log = createLogger({ service: 'test', level: 'silent' });
    const exited = new Promise<number>((exit) => stopOnSignals(service, { drainTimeoutMs: 60_000, log, exit }));
    const reply = fetch(`http://127.0.0.1:${service.port}/v1/messages`, { method: 'POST' });
    await isBegun;
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGTERM', 'SIGTERM');
    expect([service.runningRequests(), closed.mock.calls.length]).toEqual([1, 0]);
    finish();

    expect([await (await reply).text(), await exited, closed.mock.calls.length]).toEqual(['whole', 0, 1]);
    for (const signal of SIGNALS) {
      for (const listener of process.listeners(signal)) {
        if (listeners.get(signal)?.includes(listener) !== true) process.off(signal, listener);
      }
    }
  });
});
