import type { KeptSecret } from '@weir/configuration';
import { createSecretSource } from '@weir/secret-source';
import { resolve, sep } from 'node:path';
import { UnreadableFiles, type SecretPlace } from './read-configuration-files';

/** Variables that a mounted document may name: it is not to read the settings of the service. */
const PREFIX = 'CONFIGURATION_SECRET_';

type MountedSecrets = { readonly folder: string | undefined; readonly env: (name: string) => string | undefined };

/** Reads what a mounted document refers to, from its own variables and its own folder only. */
export function createMountedSecrets({ folder, env }: MountedSecrets) {
  const source = createSecretSource({ env });
  return async (reference: KeptSecret, place: SecretPlace): Promise<string> => {
    try {
      return (await source.read(findOwn(reference, folder))).value;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new UnreadableFiles(`${place.source}: ${place.path}: ${why}`, { cause: error });
    }
  };
}

/** Where a reference leads; throws where it leads out of what is the document's own. */
function findOwn({ env: name, file = '' }: KeptSecret, folder: string | undefined): { env: string } | { file: string } {
  if (name !== undefined) {
    if (name.startsWith(PREFIX)) return { env: name };
    throw new Error(`a mounted document may name variables that begin with ${PREFIX}`);
  }
  if (folder === undefined) throw new Error('CONFIGURATION_SECRETS is not set, so no file can be named');
  const path = resolve(folder, file);
  if (path.startsWith(resolve(folder) + sep)) return { file: path };
  throw new Error('the file is not in the folder that CONFIGURATION_SECRETS names');
}
