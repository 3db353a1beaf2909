import { Counter, Gauge, type Registry } from 'prom-client';
import { createTallies, type Tally } from './create-tallies';

/** Metrics of a server that protects itself: who was turned away or cut off, and why. */
export function createServerMetrics(registry: Registry) {
  const shed = createTallies({
    name: 'weir_requests_shed_total',
    help: 'Requests refused with 503 because of load, by priority',
    labelNames: ['work'],
    registers: [registry],
  });
  const pressure = new Gauge({
    name: 'weir_load_pressure',
    help: '0: nothing is refused; 1: free models are, 2: lists too, 3: unpaid requests too, 4: everything is',
    registers: [registry],
  });
  const connections = new Gauge({ name: 'weir_connections', help: 'Open connections', registers: [registry] });
  const refused = new Counter({
    name: 'weir_connections_refused_total',
    help: 'Connections closed at once, because there were too many in all or from one address',
    labelNames: ['reason'],
    registers: [registry],
  });
  const cut = new Counter({
    name: 'weir_slow_clients_cut_total',
    help: 'Clients cut off because they sent their request, or read their reply, too slowly',
    labelNames: ['reason'],
    registers: [registry],
  });
  let countStreams = (): number => 0;
  new Gauge({
    name: 'weir_streams_open',
    help: 'Responses that are being streamed now, as server-sent events',
    registers: [registry],
    collect() {
      this.set(countStreams());
    },
  });
  let readDependencies = (): Promise<readonly { readonly name: string; readonly problem: string | null }[]> => Promise.resolve([]);
  new Gauge({
    name: 'weir_dependency_up',
    help: 'Whether a store or service that the process needs is there (1) or away (0); it is ready all the same, and serves what does without',
    labelNames: ['dependency'],
    registers: [registry],
    async collect() {
      for (const { name, problem } of await readDependencies()) this.set({ dependency: name }, problem === null ? 1 : 0);
    },
  });
  // While there is too much to do, this is counted more often than anything else.
  const shedByPriority = new Map<string, Tally>();
  return {
    shed: (priority: string) => {
      let tally = shedByPriority.get(priority);
      if (tally === undefined) shedByPriority.set(priority, (tally = shed({ work: priority })));
      tally.add(1);
    },
    pressure: (value: number) => pressure.set(value),
    connections: (count: number) => connections.set(count),
    /** Counted when it is asked for, so that it costs requests nothing. */
    streams: (count: () => number) => void (countStreams = count),
    /** Asked when they are collected. */
    dependencies: (read: () => Promise<readonly { readonly name: string; readonly problem: string | null }[]>) =>
      void (readDependencies = read),
    connectionRefused: (reason: 'all' | 'address') => refused.inc({ reason }),
    slowClientCut: (reason: 'body' | 'reader') => cut.inc({ reason }),
  };
}
export type ServerMetrics = ReturnType<typeof createServerMetrics>;
