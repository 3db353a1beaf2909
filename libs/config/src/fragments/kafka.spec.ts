import { loadEnv } from '../load-env';
import { kafkaSecurityEnv, readKafkaSecurity } from './kafka';

const read = (source: Record<string, string>) => readKafkaSecurity(loadEnv(kafkaSecurityEnv, source));

describe('how brokers are reached', () => {
  it('is in the clear unless settings say otherwise, and encrypted by the certificates given', () => {
    expect(read({})).toEqual({});
    expect(read({ KAFKA_TLS: 'true' })).toEqual({ ssl: {} });
    expect(read({ KAFKA_TLS: 'true', KAFKA_TLS_CA: 'a', KAFKA_TLS_CERT: 'b', KAFKA_TLS_KEY: 'c' })).toEqual({
      ssl: { ca: 'a', cert: 'b', key: 'c' },
    });
  });

  it('is as the user that is set', () => {
    const user = { KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' };
    expect(read({ ...user, KAFKA_SASL_MECHANISM: 'scram-sha-512' })).toEqual({
      sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p' },
    });
  });

  it('is refused where settings are missing or do not fit together, all at once', () => {
    expect(() => read({ KAFKA_TLS_CERT: 'b', KAFKA_SASL_MECHANISM: 'plain' })).toThrow(
      /KAFKA_TLS: must be true(.|\n)*KAFKA_TLS_CERT and KAFKA_TLS_KEY(.|\n)*KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD: must be set for plain/,
    );
    expect(() => read({ KAFKA_SASL_PASSWORD: 'p' })).toThrow(/KAFKA_SASL_MECHANISM/);
    expect(() => read({ KAFKA_SASL_MECHANISM: 'oauthbearer' })).toThrow(/KAFKA_OAUTH_TOKEN_URL/);
    expect(() => read({ KAFKA_SASL_MECHANISM: 'kerberos' })).toThrow(/KAFKA_SASL_MECHANISM/);
  });
});
