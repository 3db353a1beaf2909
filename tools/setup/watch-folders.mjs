import { existsSync, readdirSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';

const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated', '.weir', '.tmp']);

/**
 * Calls `notice` with the path of every file that changes below the folders; returns what ends it. One watcher a folder, because
 * Node's recursive one watches files on Linux, and loses a file that an editor replaces by a new one.
 */
export function watchFolders(folders, notice) {
  const watchers = new Map();

  function add(folder) {
    if (watchers.has(folder)) return;
    const watcher = watch(folder, (_, name) => {
      if (name !== null) see(join(folder, name));
    });
    watcher.on('error', () => remove(folder));
    watchers.set(folder, watcher);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !NOT_SOURCES.has(entry.name)) add(join(folder, entry.name));
    }
  }

  function see(path) {
    if (NOT_SOURCES.has(basename(path))) return;
    if (!existsSync(path)) remove(path);
    else if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) add(path);
    notice(path);
  }

  function remove(folder) {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  for (const folder of folders) add(folder);
  return () => {
    for (const folder of [...watchers.keys()]) remove(folder);
  };
}
