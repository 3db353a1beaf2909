import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaSecurityEnv, loadEnv, readKafkaSecurity } from '@weir/config';
import { canRunKafka, createTopics, startKafka, writeCertificate, type RunningKafka } from '@weir/kafka';
import { collect, makeEvents } from '../usage-bus.conformance';
import type { UsageBus } from '../usage-bus';
import { createKafkaUsageBus } from './create-kafka-usage-bus';

const LONG_MS = 180_000;
const isAvailable = process.env['REQUIRE_REAL_PARTS'] === '1' || canRunKafka();
if (!isAvailable) process.stderr.write('SKIPPED: neither java nor a way to fetch Kafka is here, so a secured broker is NOT tested\n');
const describeWithBroker = isAvailable ? describe : describe.skip;
const EVENTS = 3;
const LOGIN = { username: 'weir', password: 'correct-horse' };
const CLIENT = { id: 'weir client', secret: 'se:cret' };

describeWithBroker('a broker that asks for TLS and a login', () => {
  let directory: string;
  let broker: RunningKafka;
  let ca: string;
  let tokens: Server;
  const asked: string[] = [];
  let published = 0;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'weir-secured-kafka-'));
    const { cert, key } = writeCertificate(directory);
    ca = cert.toString();
    broker = await startKafka({ directory, secured: { cert, key, ...LOGIN } });
    tokens = createServer((request, response) => {
      asked.push(request.headers.authorization ?? '');
      const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
      const seconds = Math.floor(Date.now() / 1000);
      const token = `${encode({ alg: 'none' })}.${encode({ sub: 'weir', iat: seconds, exp: seconds + 600 })}.`;
      response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 600 }));
    });
    await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve));
  }, LONG_MS);
  afterAll(async () => {
    await new Promise((resolve) => tokens.close(resolve));
    await broker.stop();
    await rm(directory, { recursive: true, force: true });
  }, LONG_MS);

  const securityOf = (settings: Record<string, string>) =>
    readKafkaSecurity(loadEnv(kafkaSecurityEnv, { KAFKA_TLS: 'true', KAFKA_TLS_CA: ca, ...settings }));
  const byPassword = (mechanism: string, password = LOGIN.password) =>
    securityOf({ KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: LOGIN.username, KAFKA_SASL_PASSWORD: password });
  const byToken = () =>
    securityOf({
      ...{ KAFKA_SASL_MECHANISM: 'oauthbearer', KAFKA_OAUTH_CLIENT_ID: CLIENT.id, KAFKA_OAUTH_CLIENT_SECRET: CLIENT.secret },
      KAFKA_OAUTH_TOKEN_URL: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
    });
  const openBus = (security: ReturnType<typeof securityOf>, lines: string[], groupId: string): UsageBus => {
    const note = (_about: unknown, text?: string): void => void lines.push(text ?? '');
    const log = { info: () => undefined, warn: note, error: note };
    return createKafkaUsageBus({ brokers: broker.securedBrokers ?? '', security, clientId: 'spec', log, groupId, sessionTimeoutMs: 6_000 });
  };

  it.each([
    ['plain', () => byPassword('plain')],
    ['scram-sha-256', () => byPassword('scram-sha-256')],
    ['scram-sha-512', () => byPassword('scram-sha-512')],
    ['oauthbearer', byToken],
  ])(
    'takes and gives usage by %s, and lets topics be created',
    async (mechanism, security) => {
      await createTopics(broker.securedBrokers ?? '', { security: security() });
      const bus = openBus(security(), [], `group-${mechanism}`);
      const writer = randomUUID();
      // A group of its own reads what those before it have published as well.
      const received = collect((published += EVENTS));
      await bus.consumer.start(received.handle);
      await bus.publisher.publish(makeEvents(writer, 0, EVENTS));
      await received.all;
      expect(received.events.filter(({ writerId }) => writerId === writer)).toHaveLength(EVENTS);
      await bus.consumer.close();
      await bus.publisher.close();
    },
    LONG_MS,
  );

  it('was asked for tokens with the credentials of the client', () => {
    const expected = `Basic ${Buffer.from('weir%20client:se%3Acret').toString('base64')}`;
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set([expected]));
  });

  it(
    'refuses a wrong password and a certificate that no one vouches for',
    async () => {
      await expect(createTopics(broker.securedBrokers ?? '', { security: byPassword('plain', 'wrong') })).rejects.toThrow(
        /[Aa]uthentication/,
      );
      const untrusting = readKafkaSecurity(loadEnv(kafkaSecurityEnv, { KAFKA_TLS: 'true' }));
      await expect(createTopics(broker.securedBrokers ?? '', { security: untrusting })).rejects.toThrow(/self-signed|certificate/);
    },
    LONG_MS,
  );
});
