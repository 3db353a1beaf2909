import { GatewayError } from '@weir/errors';
import type { Express, Request, Response } from 'express';
import { createRouteFinder } from '../requests/find-route';
import type { HotRoutes } from '../requests/hot-routes';

/** What of Express's routers is looked at: a layer is a route, or another router, or anything else that runs. */
type Layer = {
  readonly route?: { readonly stack: readonly { readonly method?: string }[] };
  readonly handle?: { readonly stack?: readonly Layer[] };
  match(path: string): boolean;
};

type MethodResponses = {
  /** `OPTIONS`: 204 with the methods of the path, and no headers for pages of other origins. */
  sendOptions(request: Request, response: Response): void;
  /** For what no route has taken. Throws `method_not_allowed` where another method would do, else `not_found`. */
  refuse(request: Request, response: Response): never;
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Says which methods a path takes: those of the app's own routes, and those of the routes ahead of it. */
export function createMethodResponses(app: Express, hotRoutes: HotRoutes): MethodResponses {
  const findHot = createRouteFinder(hotRoutes);
  const setAllow = ({ path }: Request, response: Response): readonly string[] => {
    const known = new Set(listMethods(app.router.stack as unknown as readonly Layer[], path));
    const methods = METHODS.filter((method) => known.has(method) || findHot(method, path) !== undefined);
    if (methods.length > 0) response.setHeader('allow', methods.join(', '));
    return methods;
  };
  return {
    sendOptions: (request, response) => {
      if (setAllow(request, response).length === 0) throw nothingAt(request);
      response.status(204).end();
    },
    refuse: (request, response) => {
      const methods = setAllow(request, response);
      if (methods.length === 0) throw nothingAt(request);
      throw new GatewayError('method_not_allowed', `${request.path} takes ${methods.join(', ')}, not ${request.method}.`);
    },
  };
}

function listMethods(layers: readonly Layer[], path: string): string[] {
  return layers.flatMap((layer) => {
    if (layer.route === undefined) return listMethods(layer.handle?.stack ?? [], path);
    if (!layer.match(path)) return [];
    const methods = layer.route.stack.flatMap(({ method }) => method?.toUpperCase() ?? []);
    return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  });
}

function nothingAt({ method, path }: Request): GatewayError {
  return new GatewayError('not_found', `There is nothing at ${method} ${path}.`);
}
