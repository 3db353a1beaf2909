import type { ResourceKind, ScimDocument } from '../../scim/protocol/attribute';
import { isKnown } from '../../scim/protocol/etag';
import { readSelection, type ListQuery } from '../../scim/protocol/list-query';
import { listResponse } from '../../scim/protocol/describe-service';
import { selectAttributes } from '../../scim/protocol/select-attributes';
import type { RawCall, RouteResponse } from '../../route/route';

type Asked = Pick<RawCall, 'query' | 'ifNoneMatch'>;
type Meta = { readonly version: string; readonly location: string };

/** A resource with its ETag, as far as the client asked for it; 304 to one who has this version. */
export function respondWith(kind: ResourceKind, document: ScimDocument, { query, ifNoneMatch }: Asked, status = 200): RouteResponse {
  const { version, location } = document['meta'] as Meta;
  const headers = { etag: version, ...(status === 201 ? { location } : {}) };
  if (isKnown(ifNoneMatch, version)) return { status: 304, headers };
  return { status, headers, body: selectAttributes(kind, document, readSelection(query)) };
}

export function respondWithList(
  kind: ResourceKind,
  query: ListQuery,
  found: { total: number; documents: readonly ScimDocument[] },
): RouteResponse {
  const resources = found.documents.map((document) => selectAttributes(kind, document, query));
  return { status: 200, body: listResponse(found.total, resources, query.startIndex) };
}
