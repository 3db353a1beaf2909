import { open } from 'node:fs/promises';
import { SecretUnavailable } from './secret-source';

/** A key file of a cloud has a few thousand bytes. */
const BYTES_MAX = 64 * 1024;

/**
 * A mounted secret is changed by pointing a link elsewhere, which watchers of files miss: so a file is read again each time, and
 * what it says decides whether it has changed.
 */
export async function readFromFile(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > BYTES_MAX) throw new SecretUnavailable(`the file ${path} is larger than ${BYTES_MAX} bytes`);
      return (await file.readFile('utf8')).trim();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof SecretUnavailable) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new SecretUnavailable(`the file ${path} cannot be read (${code})`, { cause: error });
  }
}
