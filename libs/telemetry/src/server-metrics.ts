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
    connectionRefused: (reason: 'all' | 'address') => refused.inc({ reason }),
    slowClientCut: (reason: 'body' | 'reader') => cut.inc({ reason }),
  };
}
export type ServerMetrics = ReturnType<typeof createServerMetrics>;
