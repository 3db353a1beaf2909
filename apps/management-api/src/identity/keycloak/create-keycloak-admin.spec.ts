import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeycloakAdmin, type KeycloakAdmin } from './create-keycloak-admin';

let server: Server;
let tokens: number;

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A Keycloak that gives out numbered tokens and serves the admin interface with `respond`. */
async function start(respond: RequestListener, timeoutMs = 5_000): Promise<KeycloakAdmin> {
  tokens = 0;
  server = createServer((request, response) => {
    if (request.url === '/realms/our%20realm/protocol/openid-connect/token') {
      tokens += 1;
      response.end(JSON.stringify({ access_token: `token-${tokens}`, expires_in: 300 }));
      return;
    }
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createKeycloakAdmin({ url, realm: 'our realm', clientId: 'weir', clientSecret: 'hidden', timeoutMs });
}

it('asks for a token once and again when it was taken back', async () => {
  const seen: (string | undefined)[] = [];
  const admin = await start((request, response) => {
    seen.push(request.headers.authorization);
    response.statusCode = seen.length === 2 ? 401 : 200;
    response.end('[]');
  });

  for (let count = 0; count < 3; count += 1) {
    expect(await admin.send({ method: 'GET', path: '/users' })).toMatchObject({ status: 200, json: [] });
  }

  expect(seen).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
});

it('throws for a status no one expects, without the text of the reply', async () => {
  const admin = await start((_, response) => {
    response.statusCode = 403;
    response.end('{"error":"hidden"}');
  });

  await expect(admin.send({ method: 'GET', path: '/users?email=a@b.example', expects: [404] })).rejects.toThrow(
    /^Keycloak replied 403 to GET \/users$/,
  );
  expect((await admin.send({ method: 'GET', path: '/users', expects: [403] })).status).toBe(403);
});

it('rejects a reply that is too large', async () => {
  const admin = await start((_, response) => void response.end(JSON.stringify('x'.repeat(1024 * 1024))));

  await expect(admin.send({ method: 'GET', path: '/users' })).rejects.toThrow('too large');
});

it('does not wait for ever', async () => {
  const admin = await start(() => undefined, 50);

  await expect(admin.send({ method: 'GET', path: '/users' })).rejects.toThrow(/timeout/i);
});
