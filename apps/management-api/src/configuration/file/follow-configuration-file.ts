import { randomUUID } from 'node:crypto';
import { checkDocument } from '@weir/configuration';
import type { Principal } from '@weir/access';
import { GatewayError } from '@weir/errors';
import { repeatTasks } from '@weir/http-server';
import type { ManagementParts } from '../../route/management-parts';
import type { RawCall } from '../../route/route';
import { applyConfiguration, type Applied } from '../apply-configuration';
import { refuseDocument } from '../refuse-document';
import type { ConfigurationEnv } from '@weir/config';
import {
  joinConfigurationDocuments,
  listConfigurationDocuments,
  readConfigurationTexts,
  UnreadableFiles,
  type SourceText,
} from './read-configuration-files';
import { createMountedSecrets } from './resolve-mounted-secret';

/** How often the files are read: a mounted volume changes by a link, which watchers of files miss. */
const LOOK_EVERY_MS = 5_000;
/** How often what was changed elsewhere is put back, and what failed is tried again. */
const REPEAT_MS = 300_000;
const RETRY_MS = 60_000;

export type ConfigurationFile = {
  readonly path: string;
  readonly organizationId: string | undefined;
  readonly prune: boolean;
  readonly secretsFolder: string | undefined;
  readonly env: (name: string) => string | undefined;
  readonly count: (outcome: 'applied' | 'unchanged' | 'failed') => void;
};

type FollowParts = { readonly env: ConfigurationFile['env']; readonly count: ConfigurationFile['count'] };

/** The mounted configuration that settings name; undefined where they name none. */
export function readConfigurationFile(env: ConfigurationEnv, parts: FollowParts): ConfigurationFile | undefined {
  if (env.CONFIGURATION_FILE === undefined) return undefined;
  return {
    path: env.CONFIGURATION_FILE,
    organizationId: env.CONFIGURATION_ORGANIZATION,
    prune: env.CONFIGURATION_PRUNE,
    secretsFolder: env.CONFIGURATION_SECRETS,
    ...parts,
  };
}

/**
 * Keeps an organization as the mounted files say: at the start, when they change, and every few minutes. Of several processes
 * each looks, one at a time, and those that come later find nothing to do. A failure is logged and counted; what was there
 * stays, and the service goes on. Returns a function that stops it.
 */
export function followConfigurationFile(parts: ManagementParts, file: ConfigurationFile): () => Promise<void> {
  const look = createLook(parts, file);
  return repeatTasks([{ name: 'mounted configuration', everyMs: LOOK_EVERY_MS, run: look }], parts.log).stop;
}

/** Looks at the files once, and applies them when that is due. */
export function createLook(parts: ManagementParts, file: ConfigurationFile): () => Promise<void> {
  let seen: string | undefined;
  let dueAt = 0;
  return async () => {
    const found = readTexts(file.path);
    const state = found instanceof Error ? found.message : JSON.stringify(found);
    if (state === seen && parts.now() < dueAt) return;
    seen = state;
    try {
      if (found instanceof Error) throw found;
      report(parts, file, await applyTexts(parts, file, found));
      dueAt = parts.now() + REPEAT_MS;
    } catch (error) {
      dueAt = parts.now() + RETRY_MS;
      file.count('failed');
      parts.log.error({ error: explain(error), file: file.path }, 'the mounted configuration could not be applied; what was there stays');
    }
  };
}

function readTexts(path: string): readonly SourceText[] | UnreadableFiles {
  try {
    return readConfigurationTexts([path]);
  } catch (error) {
    if (error instanceof UnreadableFiles) return error;
    throw error;
  }
}

function report({ log }: ManagementParts, { path, count }: ConfigurationFile, { configuration, steps, summary, notes }: Applied): void {
  count(steps.length === 0 ? 'unchanged' : 'applied');
  for (const note of notes) log.warn({ configuration, note }, 'a note about the mounted configuration');
  if (steps.length === 0) return;
  const changed = steps.map(({ action, kind, name }) => `${action} ${kind} ${name}`);
  log.info({ configuration, file: path, summary, changed }, 'the mounted configuration was applied');
}

/** What is wrong with a document is for its writer; anything else is logged whole. */
function explain(error: unknown): unknown {
  const isForWriter = error instanceof UnreadableFiles || (error instanceof GatewayError && error.status < 500);
  return isForWriter ? { message: error.message } : error;
}

async function applyTexts(parts: ManagementParts, file: ConfigurationFile, texts: readonly SourceText[]): Promise<Applied> {
  const secrets = createMountedSecrets({ folder: file.secretsFolder, env: file.env });
  const value = await joinConfigurationDocuments(listConfigurationDocuments(texts), secrets);
  const { document, problems } = await checkDocument(value);
  if (document === undefined) throw refuseDocument(problems);
  const organizationId = await findOrganization(parts, file.organizationId);
  // The value of a key that is made here would be shown to no one.
  const options = { prune: file.prune, adopt: false, isPreview: false, mayMakeKeys: false };
  return applyConfiguration(parts, callOfOperator(organizationId), document, options);
}

async function findOrganization({ database }: ManagementParts, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return asked;
  const found = await database.prisma.organization.findMany({ select: { id: true }, take: 2 });
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  throw new UnreadableFiles(
    only === undefined
      ? 'there is no organization yet'
      : 'there are several organizations: CONFIGURATION_ORGANIZATION has to say whose configuration this is',
  );
}

/** Anyone who can mount the file is the operator: no key calls, and everything may be changed that an administrator may change. */
function callOfOperator(organizationId: string): RawCall {
  const principal = { key: { organizationId, userId: null } } as unknown as Principal;
  return {
    principal,
    actor: { kind: 'operator', id: 'mounted configuration' },
    authority: { kind: 'organization-admin', userId: null },
    organizationId,
    ...{ params: {}, query: {}, body: {}, ip: null },
    requestId: randomUUID(),
    accepts: () => undefined,
  };
}
