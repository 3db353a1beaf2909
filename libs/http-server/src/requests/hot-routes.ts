import type { EndpointRow } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KnownCaller } from './request-priority';
import type { RequestScope } from './request-scope';

/** Takes the error that the caller should get. */
export type Fail = (error: unknown) => void;

/** Throws or rejects with the error the caller should get; what returns nothing passes it to `fail`, whenever that is known. */
export type HotHandler = (request: IncomingMessage, response: ServerResponse, scope: RequestScope, fail: Fail) => Promise<void> | undefined;

export type HotRoute = {
  readonly endpoint: EndpointRow;
  readonly handle: HotHandler;
  /** Finds out by the head of a request whose it is; asked only while that decides whether it is refused. */
  readonly findCaller?: (request: IncomingMessage) => KnownCaller;
  /** Called with the error that ends a request, before it is sent. */
  readonly noteFailure?: (error: GatewayError, scope: RequestScope) => void;
};

/** Inference routes, by `METHOD path`. They are looked up before Express sees the request. */
export type HotRoutes = ReadonlyMap<string, HotRoute>;
