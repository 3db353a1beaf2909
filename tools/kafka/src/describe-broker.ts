type BrokerSettings = {
  readonly logDirectory: string;
  readonly port: number;
  readonly controllerPort: number;
  readonly advertisedPort: number;
  /** A second listener, on a port of its own, that asks for TLS and a login. */
  readonly secured?: SecuredListener & { readonly port: number };
};

/** PEM of its certificate and key, and who may log in. */
export type SecuredListener = {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  readonly username: string;
  readonly password: string;
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
  if (settings.secured !== undefined) Object.assign(lines, describeSecured(settings.secured, lines));
  return Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function describeSecured(
  { port, cert, key, username, password }: NonNullable<BrokerSettings['secured']>,
  plain: Readonly<Record<string, string | number>>,
): Record<string, string> {
  const listener = 'listener.name.secured';
  const module = 'org.apache.kafka.common.security';
  const inOneLine = (pem: string | Buffer): string => pem.toString().trim().replaceAll('\n', ' \\\n');
  return {
    listeners: `${plain['listeners']},SECURED://127.0.0.1:${port}`,
    'advertised.listeners': `${plain['advertised.listeners']},SECURED://127.0.0.1:${port}`,
    'listener.security.protocol.map': `${plain['listener.security.protocol.map']},SECURED:SASL_SSL`,
    [`${listener}.ssl.keystore.type`]: 'PEM',
    [`${listener}.ssl.keystore.certificate.chain`]: inOneLine(cert),
    [`${listener}.ssl.keystore.key`]: inOneLine(key),
    [`${listener}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    [`${listener}.plain.sasl.jaas.config`]: `${module}.plain.PlainLoginModule required user_${username}="${password}";`,
    [`${listener}.scram-sha-256.sasl.jaas.config`]: `${module}.scram.ScramLoginModule required;`,
    [`${listener}.scram-sha-512.sasl.jaas.config`]: `${module}.scram.ScramLoginModule required;`,
    // Takes tokens without a signature, and looks at who they are of and how long they last.
    [`${listener}.oauthbearer.sasl.jaas.config`]: `${module}.oauthbearer.OAuthBearerLoginModule required;`,
  };
}
