import { loadEnv } from '@weir/config';
import { standaloneEnv } from './env';
import { refuseEmbeddedParts } from './refuse-embedded-parts';

/** What replaces each embedded part. */
const REAL: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://weir@postgres.example:5432/weir',
  REDIS_URL: 'redis://redis.example:6379',
  KAFKA_BROKERS: 'kafka.example:9092',
  KEY_PEPPER: 'p'.repeat(32),
  SEALING_KEY: 's'.repeat(32),
  BLOB_DIR: '/srv/files',
};

const start = (settings: Readonly<Record<string, string>>) => () => refuseEmbeddedParts(loadEnv(standaloneEnv, settings));

describe('NO_EMBEDDED', () => {
  it.each(['1', 'true'])('as %s names every embedded part and what replaces it, at once', (NO_EMBEDDED) => {
    for (const setting of Object.keys(REAL)) expect(start({ NO_EMBEDDED })).toThrow(new RegExp(`^ {2}- .+: set .*${setting}$`, 'm'));
  });

  it.each(Object.keys(REAL))('names the one part that is left, without %s', (missing) => {
    const { [missing]: _, ...rest } = REAL;
    const problems = (): string[] => {
      try {
        start({ NO_EMBEDDED: '1', ...rest })();
        return [];
      } catch (error) {
        return (error as Error).message.split('\n').slice(1);
      }
    };

    expect(problems()).toEqual([expect.stringContaining(missing) as string]);
  });

  it('lets a gateway start that has real parts alone, with files in a bucket too', () => {
    const { BLOB_DIR: _, ...others } = REAL;

    expect(start({ NO_EMBEDDED: '1', ...REAL })).not.toThrow();
    expect(start({ NO_EMBEDDED: '1', ...others, BLOB_STORE: 's3', S3_BUCKET: 'files' })).not.toThrow();
  });

  it.each([{}, { NO_EMBEDDED: '0' }, { NO_EMBEDDED: 'false' }])('refuses nothing where it is not set: %o', (settings) => {
    expect(start(settings)).not.toThrow();
  });

  it('is no word that could be meant either way', () => {
    expect(start({ NO_EMBEDDED: 'yes' })).toThrow(/NO_EMBEDDED/);
  });
});
