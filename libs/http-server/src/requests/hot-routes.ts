import type { EndpointRow } from '@weir/contracts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestPriority } from './request-priority';
import type { RequestScope } from './request-scope';

/** Throws or rejects with the error the caller should get. */
export type HotHandler = (request: IncomingMessage, response: ServerResponse, scope: RequestScope) => Promise<void>;

export type HotRoute = {
  readonly endpoint: EndpointRow;
  readonly handle: HotHandler;
  /** Finds out by the head of a request whose it is; asked only while that decides whether it is refused. */
  readonly findPriority?: (request: IncomingMessage) => RequestPriority;
};

/** Inference routes, by `METHOD path`. They are looked up before Express sees the request. */
export type HotRoutes = ReadonlyMap<string, HotRoute>;
