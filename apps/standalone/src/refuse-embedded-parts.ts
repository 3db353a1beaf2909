import type { StandaloneEnv } from './env';

type Settings = Pick<
  StandaloneEnv,
  'NO_EMBEDDED' | 'DATABASE_URL' | 'REDIS_URL' | 'KAFKA_BROKERS' | 'KEY_PEPPER' | 'SEALING_KEY' | 'BLOB_STORE' | 'BLOB_DIR'
>;

type EmbeddedPart = {
  readonly what: string;
  readonly instead: string;
  readonly isUsed: (env: Settings) => boolean;
};

const EMBEDDED_PARTS: readonly EmbeddedPart[] = [
  {
    what: 'Postgres, started by this process in DATA_DIR',
    instead: 'DATABASE_URL',
    isUsed: ({ DATABASE_URL }) => DATABASE_URL === undefined,
  },
  {
    what: 'counters of limits, holds, kept responses and change notices, in the memory of this process',
    instead: 'REDIS_URL',
    isUsed: ({ REDIS_URL }) => REDIS_URL === undefined,
  },
  {
    what: 'the bus of usage events, inside this process',
    instead: 'KAFKA_BROKERS',
    isUsed: ({ KAFKA_BROKERS }) => KAFKA_BROKERS === undefined,
  },
  {
    what: 'the pepper of keys, made and kept in DATA_DIR',
    instead: 'KEY_PEPPER',
    isUsed: ({ KEY_PEPPER }) => KEY_PEPPER === undefined,
  },
  {
    what: 'the key that seals credentials, made and kept in DATA_DIR',
    instead: 'SEALING_KEY',
    isUsed: ({ SEALING_KEY }) => SEALING_KEY === undefined,
  },
  {
    what: 'the store of files, inside DATA_DIR',
    instead: 'BLOB_STORE=s3, or BLOB_DIR',
    isUsed: ({ BLOB_STORE, BLOB_DIR }) => BLOB_STORE === 'filesystem' && BLOB_DIR === undefined,
  },
];

/** With NO_EMBEDDED, throws one error that names every part that would be embedded, and the setting that replaces it. */
export function refuseEmbeddedParts(env: Settings): void {
  if (!env.NO_EMBEDDED) return;
  const used = EMBEDDED_PARTS.filter(({ isUsed }) => isUsed(env));
  if (used.length === 0) return;
  const lines = used.map(({ what, instead }) => `  - ${what}: set ${instead}`);
  throw new Error(`NO_EMBEDDED is set, and these parts would be embedded:\n${lines.join('\n')}`);
}
