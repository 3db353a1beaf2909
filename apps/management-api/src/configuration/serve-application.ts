import { checkDocument } from '@weir/configuration';
import { configurationParameters } from '@weir/contracts';
import { takeTurn } from '@weir/http-server';
import { parseBody } from '../bodies/parse-body';
import type { RouteParts } from '../route/management-parts';
import { ok, type RawCall, type RouteResponse } from '../route/route';
import { applyConfiguration } from './apply-configuration';
import { refuseDocument } from './refuse-document';

/** Applies the document of a request, or tries to. */
export async function serveApplication(call: RawCall, parts: RouteParts, isPreview: boolean): Promise<RouteResponse> {
  const { prune, adopt } = parseBody(configurationParameters, call.query);
  const { document, problems } = await checkDocument(call.body, takeTurn);
  if (document === undefined) throw refuseDocument(problems);
  // What a document makes does not belong to the person who happens to send it.
  const asOrganization: RawCall = { ...call, authority: { kind: 'organization-admin', userId: null } };
  return ok(await applyConfiguration(parts, asOrganization, document, { prune: prune === 'true', adopt: adopt === 'true', isPreview }));
}
