// Keeps the books: Postgres, shipping and counting of usage, the management interface, and all work by the clock. Started by main.ts.
// Loads little itself, so that Postgres is started early.
import { loadEnv } from '@weir/config';
import type { Link } from '@weir/process-links';
import { createLogger, type Logger } from '@weir/telemetry';
import { standaloneEnv } from '../env';
import { openPostgres } from '../open-postgres';
import { openSecrets } from '../open-secrets';
import type { BooksBrief } from './brief';
import { failForParent, openParentLink, stopForParent } from './parent-link';

/** When the process that started this one is gone, Postgres is stopped in order; nothing else is waited for. */
const END_ALONE_MS = 5_000;

let end = (): void => process.exit(1);

async function main(link: Link): Promise<void> {
  const brief = await link.call<BooksBrief>('brief');
  const env = loadEnv(standaloneEnv);
  const log = createLogger({ service: brief.name, level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  const [postgres, { openBooks }] = await openPostgres(env, () => import('./keep-books.js'), brief.postgresPort);
  end = () => endAlone(postgres, log);
  const { service, ready, close } = await openBooks({ env, log, secrets: openSecrets(env.DATA_DIR, env), postgres, brief, link });
  end = () => endAlone({ stop: close }, log);
  stopForParent(link, service, (code) => process.exit(code));
  await link.call('ready', ready);
}

/** Whatever else fails from here on fails for this reason: the next gateway recovers what is in the journals. */
function endAlone(postgres: { stop(): Promise<void> }, log: Logger): void {
  log.error('the process that started this one is gone: stopping Postgres and ending');
  log.level = 'silent';
  setTimeout(() => process.exit(1), END_ALONE_MS);
  void postgres.stop().finally(() => process.exit(1));
}

const link = openParentLink(() => end());
main(link).catch((error: unknown) => failForParent(link, error));
