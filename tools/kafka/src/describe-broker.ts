type BrokerSettings = {
  readonly logDirectory: string;
  readonly port: number;
  readonly controllerPort: number;
  readonly advertisedPort: number;
};

export const NODE_ID = 1;

/** One node that is broker and controller, replicating nothing: `server.properties` of a local KRaft broker. */
export function describeBroker(settings: BrokerSettings): string {
  const { port, controllerPort, advertisedPort } = settings;
  const lines: Record<string, string | number> = {
    'process.roles': 'broker,controller',
    'node.id': NODE_ID,
    'controller.quorum.voters': `${NODE_ID}@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertisedPort}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': settings.logDirectory,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    // So that a test need not wait six seconds until the group believes that a killed member is gone.
    'group.min.session.timeout.ms': 1_000,
    'auto.create.topics.enable': 'false',
    // After a kill the controller keeps the old registration until its session ends; the default is 9 s.
    'broker.session.timeout.ms': 2_000,
    'broker.heartbeat.interval.ms': 500,
    // A killed broker leaves unclean logs; one recovery thread per log folder keeps its restart short.
    'num.recovery.threads.per.data.dir': 2,
    'num.network.threads': 2,
    'num.io.threads': 4,
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
