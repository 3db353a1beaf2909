import { dirname } from 'node:path/posix';
import { findCircles } from '../repository/find-circles';
import { readImportGraph, type ImportGraph } from '../repository/read-import-graph';
import type { Rule } from '../repository/repository';

/** What joins a project may import all of it: its exports, its process, its composition. */
const JOINS_PROJECT = /^(libs|apps|tools)\/[^/]+\/src\/(index|main|compose)\.ts$/;
/** Tests may start what they like. */
const IS_TEST = /\.(spec|conformance)\.ts$|\/__fixtures__\//;

/** Folders of a project do not import each other in circles, so that each can be understood without those above it. */
export const checkFolderCycles: Rule = (repository) => {
  const files = leaveOut(readImportGraph(repository));
  return findCircles(joinFolders(files)).map(
    (circle) =>
      `${circle[0]}: imports itself through ${circle.map((folder, at) => findStep(files, folder, circle[(at + 1) % circle.length])).join(', ')}`,
  );
};

function leaveOut(files: ImportGraph): ImportGraph {
  const isLeftOut = (path: string): boolean => JOINS_PROJECT.test(path) || IS_TEST.test(path);
  return new Map([...files].filter(([path]) => !isLeftOut(path)).map(([path, targets]) => [path, targets.filter((to) => !isLeftOut(to))]));
}

function joinFolders(files: ImportGraph): ImportGraph {
  const folders = new Map<string, string[]>();
  for (const [path, targets] of files) {
    const folder = dirname(path);
    const others = targets.map((target) => dirname(target)).filter((other) => other !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  return folders;
}

/** One import that leads from a folder to the next, as the place to start. */
function findStep(files: ImportGraph, folder: string, next: string | undefined): string {
  for (const [path, targets] of files) {
    const target = targets.find((to) => dirname(path) === folder && dirname(to) === next);
    if (target !== undefined) return `${path} → ${target}`;
  }
  return `${folder} → ${next}`;
}
