import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program that could be run by its name; undefined when there is none. */
export function findProgram(name: string): string | undefined {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const suffix of suffixes) {
      const path = join(folder, name + suffix);
      if (folder !== '' && isExecutable(path)) return path;
    }
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
