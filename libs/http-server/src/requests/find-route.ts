import type { HotRoute, HotRoutes } from './hot-routes';
import type { PathParams } from './request-scope';

export type FoundRoute = { readonly route: HotRoute; readonly params: PathParams };

type OpenRoute = { readonly method: string; readonly steps: readonly string[]; readonly route: HotRoute };

export const NO_PARAMS: PathParams = Object.freeze({});

/** Finds the route of a request. Paths without open parts, which most requests have, cost one look-up. */
export function createRouteFinder(routes: HotRoutes): (method: string, path: string) => FoundRoute | undefined {
  const open: OpenRoute[] = [...routes].flatMap(([name, route]) => {
    const [method = '', path = ''] = name.split(' ');
    return path.includes('/:') ? [{ method, steps: path.split('/'), route }] : [];
  });
  const closed = groupByMethod(routes);
  const find = (method: string, path: string): FoundRoute | undefined => {
    const found = closed.get(method)?.get(path);
    if (found !== undefined) return found;
    if (open.length === 0) return undefined;
    const given = path.split('/');
    for (const each of open) {
      const params = each.method === method ? matchSteps(each.steps, given) : undefined;
      if (params !== undefined) return { route: each.route, params };
    }
    return undefined;
  };
  // HEAD gets the reply of GET without its body; Node leaves that out by itself.
  const findAny = (method: string, path: string): FoundRoute | undefined =>
    find(method, path) ?? (method === 'HEAD' ? find('GET', path) : undefined);
  // One slash too many at the end means the same, as it does to the routes behind these.
  return (method, path) => findAny(method, path) ?? (path.endsWith('/') ? findAny(method, path.slice(0, -1)) : undefined);
}

/** Routes by method, then by path, as they are found: no name is put together to look one up. */
function groupByMethod(routes: HotRoutes): Map<string, Map<string, FoundRoute>> {
  const groups = new Map<string, Map<string, FoundRoute>>();
  for (const [name, route] of routes) {
    const [method = '', path = ''] = name.split(' ');
    const group = groups.get(method) ?? new Map<string, FoundRoute>();
    groups.set(method, group.set(path, { route, params: NO_PARAMS }));
  }
  return groups;
}

function matchSteps(steps: readonly string[], given: readonly string[]): PathParams | undefined {
  if (steps.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, step] of steps.entries()) {
    const value = given[index] ?? '';
    if (!step.startsWith(':')) {
      if (step !== value) return undefined;
    } else {
      const decoded = decode(value);
      if (decoded === undefined || decoded === '') return undefined;
      params[step.slice(1)] = decoded;
    }
  }
  return params;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // no text at all: no route has it
  }
}
