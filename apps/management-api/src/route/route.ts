import type { Principal } from '@weir/access';
import type { IdempotencyClaim } from '@weir/database';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { AuditActor } from './audit-actor';
import type { Authority } from './authority';
import { parseLargeBody } from '../bodies/parse-body';
import type { RouteParts } from './management-parts';

/** A request after authentication and permission. */
export type RawCall = {
  readonly principal: Principal;
  /** Whom the audit log names in place of the calling key. */
  readonly actor?: AuditActor;
  /** What the caller's roles let them reach. */
  readonly authority: Authority;
  readonly organizationId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly requestId: string;
  readonly ip: string | null;
  /** Which version of a resource the caller wants to change, or has already: as the headers say it. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Which of these media types the caller prefers; undefined when it takes none of them. */
  readonly accepts: (types: readonly string[]) => string | undefined;
  /** When the request came with an Idempotency-Key: what the change marks as carried out. */
  readonly claim?: IdempotencyClaim;
};

export type Call<Body> = Omit<RawCall, 'body'> & { readonly body: Body };

/** A response too large to buffer: sent as fast as the caller reads it. `close` is called once, however it ended. */
export type StreamedBody = { readonly chunks: AsyncIterable<string | Uint8Array>; close(): Promise<void> };

/** 204 goes without a body. */
export type RouteResponse = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream?: StreamedBody;
};

export type Route = {
  /** Its row in the endpoint table. */
  readonly id: string;
  /** A GET whose parameters may also come as a JSON body. */
  readonly readsBodyOfGet: boolean;
  /** It takes parameters although it is no GET. */
  readonly takesParameters: boolean;
  /** How its body is read, where it may be more than JSON. */
  readonly readBody?: (request: IncomingMessage) => Promise<unknown>;
  run(call: RawCall, parts: RouteParts): Promise<RouteResponse>;
};

type RouteDefinition<Schema extends z.ZodType> = {
  readonly id: string;
  readonly body: Schema;
  readonly readsBodyOfGet?: boolean;
  readonly takesParameters?: boolean;
  readonly readBody?: (request: IncomingMessage) => Promise<unknown>;
  readonly run: (call: Call<z.output<Schema>>, parts: RouteParts) => Promise<RouteResponse>;
};

/** Binds a row of the endpoint table to the shape of its body and to what it does. */
export function defineRoute<Schema extends z.ZodType>(definition: RouteDefinition<Schema>): Route {
  const { id, body, readsBodyOfGet = false, takesParameters = false, readBody, run } = definition;
  const flags = { id, readsBodyOfGet, takesParameters, ...(readBody === undefined ? {} : { readBody }) };
  return { ...flags, run: async (call, parts) => run({ ...call, body: await parseLargeBody(body, call.body) }, parts) };
}

/** For endpoints without a body: one that comes all the same is refused by its first field. */
export const noBody = z.strictObject({});

export function ok(body: unknown): RouteResponse {
  return { status: 200, body };
}

export function created(body: unknown): RouteResponse {
  return { status: 201, body };
}

export const done: RouteResponse = { status: 204 };
