import { checkPermission, readCredential, type Authenticator, type OrganizationDirectory, type Principal } from '@weir/access';
import { getEndpoint, type EndpointRow } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { Express, RequestHandler } from 'express';
import { describeFinance, describeOrganization } from './describe-organization';

type OrganizationPagesParts = {
  readonly authenticator: Authenticator;
  readonly organizationDirectory: OrganizationDirectory;
  readonly defaultChatModel: string;
};

/**
 * What an organization's own keys may read about it here: every key its settings, administrators' keys its money.
 * The page that both replaced responds with 404 and names them.
 */
export function mountOrganizationPages(app: Express, parts: OrganizationPagesParts): void {
  const { organizationDirectory: directory, defaultChatModel } = parts;
  const settings = getEndpoint('organization');
  const finance = getEndpoint('organization-finance');
  app.get(
    settings.path,
    showToKey(settings, parts, async ({ key }) => {
      const name = await directory.findName(key.organizationId);
      return describeOrganization(key, { name: name ?? null, defaultChatModel });
    }),
  );
  app.get(
    finance.path,
    showToKey(finance, parts, async ({ key }) => describeFinance(await directory.readFinance(key.organizationId))),
  );
  app.get('/v1/organization/info', () => {
    throw new GatewayError(
      'not_found',
      'GET /v1/organization/info was removed. Use GET /v1/organization for settings and GET /v1/organization/finance for the balance.',
    );
  });
}

function showToKey(endpoint: EndpointRow, parts: OrganizationPagesParts, read: (caller: Principal) => Promise<object>): RequestHandler {
  return async (request, response) => {
    const principal = await parts.authenticator.authenticate(readCredential(request.headers, endpoint.preferredCredential));
    checkPermission(principal, endpoint.permission);
    const shown = await read(principal).catch((error: unknown) => {
      throw new GatewayError('dependency_down', 'The organization could not be read at the moment. Try again shortly.', { cause: error });
    });
    response.setHeader('cache-control', 'no-store');
    response.json(shown);
  };
}
