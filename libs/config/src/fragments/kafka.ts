import { z } from 'zod';
import { EnvError } from '../load-env';
import { flag, httpUrl, integer } from '../values';

export const brokerList = z
  .string()
  .regex(/^[^\s,]+:\d+(,[^\s,]+:\d+)*$/, 'must be host:port[,host:port…]')
  .transform((text) => text.split(','));

/** A consumer silent for this long loses its share: longer than any pause of a living process, within the broker's bounds. */
export const kafkaConsumerEnv = z.object({ KAFKA_SESSION_TIMEOUT_MS: integer(1000, 1_800_000).default(30_000) });

/** How events are published: as they are, or with the attributes of CloudEvents as headers beside. */
export const usageEnvelopeEnv = z.object({ USAGE_EVENT_ENVELOPE: z.enum(['plain', 'cloudevents']).default('plain') });

/** How brokers are reached: encrypted or not, and as whom. */
export const kafkaSecurityEnv = z.object({
  KAFKA_TLS: flag.default(false),
  /** PEM of the authority that signed the brokers' certificates; absent: those that Node trusts. */
  KAFKA_TLS_CA: z.string().optional(),
  /** PEM of a certificate of ours and its key, for brokers that ask for one. */
  KAFKA_TLS_CERT: z.string().optional(),
  KAFKA_TLS_KEY: z.string().optional(),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer']).optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
  /** Where tokens are got by the grant of client credentials, for `oauthbearer`. */
  KAFKA_OAUTH_TOKEN_URL: httpUrl.optional(),
  KAFKA_OAUTH_CLIENT_ID: z.string().optional(),
  KAFKA_OAUTH_CLIENT_SECRET: z.string().optional(),
  KAFKA_OAUTH_SCOPE: z.string().optional(),
});

export const kafkaEnv = z.object({ KAFKA_BROKERS: brokerList, ...kafkaSecurityEnv.shape });

type Tls = { readonly ca?: string; readonly cert?: string; readonly key?: string };
type Login<Mechanism> = Mechanism extends string
  ? { readonly mechanism: Mechanism; readonly username: string; readonly password: string }
  : never;
type Sasl =
  | Login<'plain' | 'scram-sha-256' | 'scram-sha-512'>
  | { readonly mechanism: 'oauthbearer'; readonly oauthBearerProvider: () => Promise<{ value: string }> };
/** As the client of Kafka takes it. */
export type KafkaSecurity = { readonly ssl?: Tls; readonly sasl?: Sasl };

const TOKEN_TIMEOUT_MS = 10_000;

/** Reads how brokers are reached. Throws one EnvError that lists the settings which are missing or do not fit together. */
export function readKafkaSecurity(env: z.output<typeof kafkaSecurityEnv>): KafkaSecurity {
  const { KAFKA_TLS: isEncrypted, KAFKA_TLS_CA: ca, KAFKA_TLS_CERT: cert, KAFKA_TLS_KEY: key } = env;
  const problems: string[] = [];
  if (!isEncrypted && (ca ?? cert ?? key) !== undefined) problems.push('KAFKA_TLS: must be true where KAFKA_TLS_CA, _CERT or _KEY is set');
  if ((cert === undefined) !== (key === undefined)) problems.push('KAFKA_TLS_CERT and KAFKA_TLS_KEY: set both, or neither');
  const sasl = readSasl(env, problems);
  if (problems.length > 0) throw new EnvError(problems);
  const tls = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined || key === undefined ? {} : { cert, key }) };
  return { ...(isEncrypted ? { ssl: tls } : {}), ...(sasl === undefined ? {} : { sasl }) };
}

function readSasl(env: z.output<typeof kafkaSecurityEnv>, problems: string[]): Sasl | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = env;
  const { KAFKA_OAUTH_TOKEN_URL: url, KAFKA_OAUTH_CLIENT_ID: id, KAFKA_OAUTH_CLIENT_SECRET: secret, KAFKA_OAUTH_SCOPE: scope } = env;
  if (mechanism === undefined) {
    if ((username ?? password ?? url) !== undefined) problems.push('KAFKA_SASL_MECHANISM: must be set where a user or a token address is');
    return undefined;
  }
  if (mechanism !== 'oauthbearer') {
    if (username === undefined || password === undefined) {
      problems.push(`KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD: must be set for ${mechanism}`);
      return undefined;
    }
    return { mechanism, username, password };
  }
  if (url === undefined || id === undefined || secret === undefined) {
    problems.push('KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET: must be set for oauthbearer');
    return undefined;
  }
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
  return { mechanism, oauthBearerProvider: () => fetchToken(url, basic, form) };
}

/** Asked for by the client of Kafka whenever a connection is authenticated, or a token on it ends. */
async function fetchToken(url: string, basic: string, form: URLSearchParams): Promise<{ value: string }> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form,
    redirect: 'error',
    signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
  });
  if (!reply.ok) throw new Error(`the address of KAFKA_OAUTH_TOKEN_URL gave no token: status ${reply.status}`);
  const { access_token: value } = (await reply.json()) as { access_token?: unknown };
  if (typeof value !== 'string') throw new Error('the address of KAFKA_OAUTH_TOKEN_URL replied without an access_token');
  return { value };
}
