import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Express, Request, Response } from 'express';
import { DOCS_POLICY, DOCS_SCRIPT, DOCS_STYLE, renderDocsPage } from './docs-page';

/** What is served of the viewer’s package, and as what. */
const VIEWER_FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const MINUTES = 'public, max-age=300';
const A_DAY = 'public, max-age=86400';

/** JSON schemas for editors and consumers: each with its path, made when it is first asked for. */
type PublishedSchemas = Readonly<Record<string, () => unknown>>;

/**
 * `GET /openapi.json`, `GET /docs` and schemas, for everybody. All of it comes from here: a page that shows the interface reaches
 * no other address. `describe` is called once, when the document is first asked for.
 */
export function mountApiPages(app: Express, describe: () => unknown, schemas: PublishedSchemas = {}): void {
  mountSchemas(app, schemas);
  let document: { readonly text: string; readonly etag: string } | undefined;
  app.get('/openapi.json', (request, response) => {
    document ??= encodeDocument(describe());
    sendCached(request, response, { ...document, type: 'application/json; charset=utf-8', keep: MINUTES });
  });
  app.get('/docs', (request, response) => {
    response.setHeader('content-security-policy', DOCS_POLICY);
    const text = renderDocsPage();
    sendCached(request, response, { text, etag: tagOf(text), type: 'text/html; charset=utf-8', keep: MINUTES });
  });
  app.get('/docs/start.js', (request, response) => {
    sendCached(request, response, { text: DOCS_SCRIPT, etag: tagOf(DOCS_SCRIPT), type: 'text/javascript; charset=utf-8', keep: MINUTES });
  });
  app.get('/docs/phone.css', (request, response) => {
    sendCached(request, response, { text: DOCS_STYLE, etag: tagOf(DOCS_STYLE), type: 'text/css; charset=utf-8', keep: MINUTES });
  });
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(VIEWER_FILES)) {
    app.get(`/docs/${name}`, (_request, response) => {
      response.sendFile(name, { root: folder, headers: { 'content-type': type, 'cache-control': A_DAY } });
    });
  }
}

function mountSchemas(app: Express, schemas: PublishedSchemas): void {
  for (const [path, create] of Object.entries(schemas)) {
    let schema: { readonly text: string; readonly etag: string } | undefined;
    app.get(path, (request, response) => {
      schema ??= encodeDocument(create());
      // Editors run in pages of other origins, too.
      response.setHeader('access-control-allow-origin', '*');
      sendCached(request, response, { ...schema, type: 'application/schema+json; charset=utf-8', keep: MINUTES });
    });
  }
}

function encodeDocument(document: unknown): { text: string; etag: string } {
  const text = JSON.stringify(document);
  return { text, etag: tagOf(text) };
}

function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

type Cached = { readonly text: string; readonly etag: string; readonly type: string; readonly keep: string };

function sendCached(request: Request, response: Response, { text, etag, type, keep }: Cached): void {
  response.setHeader('etag', etag);
  response.setHeader('cache-control', keep);
  if (request.get('if-none-match')?.includes(etag) === true) {
    response.status(304).end();
    return;
  }
  response.setHeader('content-type', type);
  response.end(text);
}
