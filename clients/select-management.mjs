// What of the OpenAPI document the clients of the management interface are generated from: its operations, and what these
// refer to. Calls to models have clients of their own, those of the dialects.
const IS_MANAGEMENT = /^\/v1\/(manage\/|session$|organization|limits$|generation)/;
const REFERENCE = /^#\/components\/(\w+)\/(.+)$/;

export function selectManagement(document) {
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => (IS_MANAGEMENT.test(path) ? [[path, withoutHeaders(item)]] : [])),
  );
  const used = listReferences(paths, document.components);
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.tags ?? [])));
  const { openapi, info, servers, components } = document;
  return {
    openapi,
    info: { ...info, title: 'Weir management' },
    servers,
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths,
    components: Object.fromEntries(
      Object.entries(components).map(([kind, named]) => [
        kind,
        // Refered to by name and not by address.
        kind === 'securitySchemes' ? named : Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`${kind}/${name}`))),
      ]),
    ),
  };
}

/**
 * The document with lists of words (`enum`) only in what is sent: a client that reads replies by them would fail at the first new
 * word of a later gateway. Types of TypeScript read nothing, and keep them.
 */
export function openWords(document) {
  const { schemas } = document.components;
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const sent = listReferences(
    operations.map(({ requestBody, parameters }) => ({ requestBody, parameters })),
    document.components,
  );
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const opened = Object.entries(item).map(([method, operation]) => [
      method,
      { ...operation, responses: withoutWords(operation.responses) },
    ]);
    return [path, Object.fromEntries(opened)];
  });
  const replies = Object.entries(schemas).map(([name, schema]) => [name, sent.has(`schemas/${name}`) ? schema : withoutWords(schema)]);
  return { ...document, paths: Object.fromEntries(paths), components: { ...document.components, schemas: Object.fromEntries(replies) } };
}

/** A property may be called `enum` as well; a list of words is an array. */
function withoutWords(value) {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, inner]) => name !== 'enum' || !Array.isArray(inner) || value.type !== 'string');
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutWords(inner)]));
}

/** Neither generator makes anything of the headers of replies, which are most of what replies with errors say. */
function withoutHeaders(item) {
  const operations = Object.entries(item).map(([method, { responses, ...operation }]) => {
    const plain = Object.entries(responses).map(([status, { description, content }]) => [
      status,
      { description, ...(content && { content }) },
    ]);
    return [method, { ...operation, responses: Object.fromEntries(plain) }];
  });
  return Object.fromEntries(operations);
}

/** Everything that `start` refers to, and what that refers to. */
function listReferences(start, components) {
  const found = new Set();
  const waiting = [start];
  for (const value of waiting) {
    if (typeof value !== 'object' || value === null) continue;
    const [, kind, name] = REFERENCE.exec(value.$ref ?? '') ?? [];
    if (kind !== undefined && !found.has(`${kind}/${name}`)) {
      found.add(`${kind}/${name}`);
      waiting.push(components[kind][name]);
    }
    waiting.push(...Object.values(value));
  }
  return found;
}
