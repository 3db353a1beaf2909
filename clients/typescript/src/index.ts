// Client of the management interface: its paths, bodies and replies as types, over `fetch`.
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './generated/schema.js';

/** Every call by its method and path: `client.POST('/v1/manage/apikey', { body })`. */
export type ManagementClient = Client<paths>;

/** What is sent and returned, by the names that the OpenAPI document gives them. */
export type Schemas = components['schemas'];

type ManagementClientOptions = {
  /** Where the gateway is, as `https://ai.example.com`. */
  readonly url: string;
  /** A key whose permission `manage` is at least `read`. */
  readonly apiKey: string;
  /** Another `fetch`, for proxies and tests. */
  readonly fetch?: (request: Request) => Promise<Response>;
};

export function createManagementClient({ url, apiKey, fetch }: ManagementClientOptions): ManagementClient {
  return createClient<paths>({
    baseUrl: url,
    querySerializer: writeQuery,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(fetch === undefined ? {} : { fetch }),
  });
}

/** Lists are repeated, and what is asked by member (`filter`) is written `filter[member]=value`. */
function writeQuery(query: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => listMembers(name, value));
  return new URLSearchParams(parameters).toString();
}

function listMembers(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => listMembers(name, each));
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([member, one]) => listMembers(`${name}[${member}]`, one));
}

type Outcome<Data> = { readonly data?: Data; readonly error?: unknown; readonly response: Response };

/** The body of a reply, undefined where it has none; a refusal of the gateway is thrown as a `WeirError`. */
export function take<Data>({ data, error, response }: Outcome<Data>): Data {
  if (!response.ok) throw new WeirError(response, readDetails(error));
  return data as Data;
}

type ErrorDetails = Partial<Schemas['GatewayError']['error']>;

/** A refusal of the gateway: `code` is one of the document's `x-error-codes`, `param` the field at fault. */
export class WeirError extends Error {
  override readonly name = 'WeirError';
  readonly status: number;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(
    response: Response,
    readonly details: ErrorDetails,
  ) {
    super(details.message ?? `${response.status} ${response.statusText}`);
    this.status = response.status;
    this.code = details.code;
    this.param = details.param ?? undefined;
  }
}

function readDetails(error: unknown): ErrorDetails {
  const { error: details } = (error ?? {}) as { error?: ErrorDetails };
  return typeof details === 'object' ? details : {};
}
