import { GatewayError } from '@weir/errors';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type ResourceName =
  'API key' | 'access list' | 'group' | 'member' | 'provider credential' | 'policy' | 'alias' | 'guardrail' | 'limit' | 'alert' | 'invoice';

/** Whether Postgres would take it as an id at all. */
export function isUuid(text: string | undefined): text is string {
  return text !== undefined && UUID.test(text);
}

/** The id in a path. What cannot be an id names nothing. */
export function requireId(id: string | undefined, resource: ResourceName): string {
  if (!isUuid(id)) throw notFound(resource, id ?? '');
  return id.toLowerCase();
}

/** The same for what belongs to another organization as for what does not exist. */
export function notFound(resource: ResourceName, id: string): GatewayError {
  return new GatewayError('not_found', `This organization has no ${resource} "${id.slice(0, 100)}".`);
}
