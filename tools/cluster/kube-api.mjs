import { request } from 'node:https';
import { createRequire } from 'node:module';

const { parseAllDocuments } = createRequire(import.meta.url)('yaml');

/** Objects of a text of YAML documents. */
export const parseObjects = (text) =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null);

/** Speaks to an API server as its administrator. */
export class KubeApi {
  #plurals = new Map();

  constructor({ port, ca, token }) {
    this.server = { port, ca, token };
  }

  /** Sends a request and returns what comes back, parsed; a refusal is thrown with the server's own words. */
  async call(method, path, { body, type = 'application/json' } = {}) {
    const { status, text } = await this.send(method, path, { body, type });
    const reply = text.startsWith('{') ? JSON.parse(text) : text;
    if (status >= 400) throw Object.assign(new Error(`${method} ${path}: ${status} ${reply.message ?? text}`), { status });
    return reply;
  }

  send(method, path, { body, type }) {
    const { port, ca, token } = this.server;
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) };
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, ca, servername: 'kubernetes.default.svc', method, path, headers }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part) => (text += part));
        reply.on('end', () => resolve({ status: reply.statusCode, text }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  async pathOf({ apiVersion, kind, metadata }, fallbackNamespace) {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    if (!this.#plurals.has(root)) this.#plurals.set(root, (await this.call('GET', root)).resources);
    const known = this.#plurals.get(root).find((resource) => resource.kind === kind && !resource.name.includes('/'));
    if (known === undefined) throw new Error(`the server does not know ${apiVersion} ${kind}`);
    const folder = known.namespaced ? `/namespaces/${metadata.namespace ?? fallbackNamespace}` : '';
    return `${root}${folder}/${known.name}`;
  }

  /** As `kubectl apply --server-side --validate=strict`; with `dryRun` nothing is changed. */
  async apply(object, { namespace = 'default', dryRun = false } = {}) {
    const query = `fieldManager=weir-cluster&force=true&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
    const path = `${await this.pathOf(object, namespace)}/${object.metadata.name}?${query}`;
    return this.call('PATCH', path, { body: object, type: 'application/apply-patch+yaml' });
  }

  async setStatus(object, status) {
    const path = `${await this.pathOf(object, object.metadata.namespace)}/${object.metadata.name}/status`;
    return this.call('PATCH', path, { body: { status }, type: 'application/merge-patch+json' });
  }
}
