import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

type Version = { readonly fields: Record<string, unknown> | null; readonly version: number };

/** What a test changes and looks at. */
export type StandIn = {
  readonly url: string;
  /** `<method> <path>`, in order. */
  readonly calls: string[];
  /** Tokens that are good now. */
  readonly tokens: Set<string>;
  isSealed: boolean;
  isSilent: boolean;
  ttl: number;
  namespace: string | undefined;
  put(path: string, fields: Record<string, unknown> | null): void;
  stop(): Promise<void>;
};

/**
 * What Vault's dev server does as far as this library asks it, in the shapes of its documented HTTP API: KV version 2, tokens that
 * end, renewal, the login of Kubernetes, namespaces, and a vault that is sealed.
 */
export async function startVault(tls?: { readonly key: Buffer; readonly cert: Buffer }): Promise<StandIn> {
  const secrets = new Map<string, Version>();
  let logins = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => void receive(request, response);
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  const reply = (response: ServerResponse, status: number, json: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  };
  const refuse = (response: ServerResponse, status: number, ...errors: string[]): void => reply(response, status, { errors });

  const showToken = (response: ServerResponse, path: string, token: string): void => {
    if (path.endsWith('lookup-self')) return reply(response, 200, { data: { ttl: standIn.ttl, renewable: true, policies: ['weir'] } });
    reply(response, 200, { auth: { client_token: token, lease_duration: standIn.ttl, renewable: true } });
  };
  const logIn = (response: ServerResponse, body: string): void => {
    const { role, jwt } = JSON.parse(body) as Record<string, string>;
    if (role !== 'weir' || jwt !== 'jwt-of-the-pod') return refuse(response, 403, 'permission denied');
    logins += 1;
    standIn.tokens.add(`hvs.login-${logins}`);
    reply(response, 200, { auth: { client_token: `hvs.login-${logins}`, lease_duration: standIn.ttl, renewable: true } });
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const path = (request.url ?? '').replace(/^\/v1\//, '');
    standIn.calls.push(`${request.method} ${path}`);
    if (standIn.isSilent) return;
    if (standIn.isSealed) return refuse(response, 503, 'Vault is sealed');
    if (request.headers['x-vault-namespace'] !== standIn.namespace) return refuse(response, 403, 'permission denied');
    if (path === 'auth/kubernetes/login') return logIn(response, Buffer.concat(chunks).toString());
    const token = String(request.headers['x-vault-token']);
    if (!standIn.tokens.has(token)) return refuse(response, 403, 'permission denied');
    if (path.startsWith('auth/token/')) return showToken(response, path, token);
    const found = secrets.get(path);
    if (found === undefined) return refuse(response, 404);
    const { fields, version } = found;
    const metadata = {
      version,
      created_time: '2026-11-24T00:00:00Z',
      deletion_time: fields === null ? '2026-11-24T00:00:01Z' : '',
      destroyed: false,
    };
    reply(response, fields === null ? 404 : 200, { request_id: 'r', lease_duration: 0, data: { data: fields, metadata } });
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: StandIn = {
    ...{
      url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
      calls: [],
      tokens: new Set(['hvs.root']),
    },
    ...{ isSealed: false, isSilent: false, ttl: 0, namespace: undefined },
    put: (path, fields) => void secrets.set(path, { fields, version: (secrets.get(path)?.version ?? 0) + 1 }),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return standIn;
}
