// A certified provider of OpenID Connect with pages of its own, as a process: it is an ES module, and tests are not. Takes its
// settings as JSON in the first argument, prints its address, and is changed by `PUT /test/accounts`.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const { port, clients, accounts } = JSON.parse(process.argv[2] ?? '{}');
const people = new Map(Object.entries(accounts));

const provider = new Provider(`http://localhost:${port}`, {
  clients,
  scopes: ['openid', 'email', 'profile', 'groups'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'], groups: ['groups'] },
  // Any password does: the page asks for one.
  findAccount: (_context, id) => (people.has(id) ? { accountId: id, claims: () => ({ sub: id, ...people.get(id) }) } : undefined),
  cookies: { keys: ['a key for the cookies of the tests'] },
  // Tokens for a resource are JWTs that say who it is; those without one are opaque, and the provider is asked.
  extraTokenClaims: (_context, token) => (token.aud === undefined ? undefined : people.get(token.accountId)),
  features: {
    devInteractions: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({ scope: 'use', audience: resource, accessTokenFormat: 'jwt', accessTokenTTL: 600 }),
    },
  },
  ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
});
const serve = provider.callback();

const server = createServer((request, response) => {
  if (request.url !== '/test/accounts') return serve(request, response);
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    for (const [id, claims] of Object.entries(JSON.parse(text))) people.set(id, claims);
    response.end();
  });
});
server.listen(port, 'localhost', () => process.stdout.write(`ready at http://localhost:${port}\n`));
