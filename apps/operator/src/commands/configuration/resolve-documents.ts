import type { NamedDocument } from '@weir/configuration';
import { joinConfigurationDocuments, UnreadableFiles } from '@weir/management-api';
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError, type CommandTools } from '../command';

export type ReadOptions = {
  /** What is asked for and not there is left as it stands: a preview then does not compare it. */
  readonly mayLackSecrets: boolean;
};

/** Documents of an organization as one, with values in place of references. */
export async function resolveDocuments(
  documents: readonly NamedDocument[],
  { variable }: Pick<CommandTools, 'variable'>,
  { mayLackSecrets }: ReadOptions,
): Promise<Record<string, unknown>> {
  try {
    return await joinConfigurationDocuments(documents, ({ env, file = '' }, { source, path }) => {
      const value = env === undefined ? readSecretFile(file, source) : variable(env)?.trim();
      if (value !== undefined && value !== '') return Promise.resolve(value);
      if (mayLackSecrets) return Promise.resolve(undefined);
      const what = env === undefined ? `the file ${file} cannot be read, or is empty` : `the variable ${env} is not set`;
      return Promise.reject(new UsageError(`${source}: ${path}: ${what}.`));
    });
  } catch (error) {
    if (error instanceof UnreadableFiles) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** Files are looked for beside the document that names them. */
function readSecretFile(file: string, source: string): string | undefined {
  try {
    return readFileSync(isAbsolute(file) ? file : join(dirname(source), file), 'utf8').trim();
  } catch {
    // Whether that matters is for the caller to say, who names the file.
    return undefined;
  }
}
