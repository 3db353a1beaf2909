import type { ImportGraph } from './read-import-graph';

/** Circles as short as they can be, so that every node that is in one is named; the first is not repeated at the end. */
export function findCircles(graph: ImportGraph): string[][] {
  const inCircle = new Set<string>();
  return [...graph.keys()].sort().flatMap((start) => {
    if (inCircle.has(start)) return [];
    const circle = findShortest(graph, start);
    if (circle === undefined) return [];
    for (const node of circle) inCircle.add(node);
    return [circle];
  });
}

/** Breadth first, so that what is reported is as short as it can be. */
function findShortest(graph: ImportGraph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return trace(cameFrom, node);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return undefined;
}

function trace(cameFrom: ReadonlyMap<string, string>, end: string): string[] {
  const before = cameFrom.get(end);
  return before === undefined ? [end] : [...trace(cameFrom, before), end];
}
