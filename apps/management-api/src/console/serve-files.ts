import express, { type RequestHandler, type Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONSOLE_PATH } from './console-parts';

/** Its files are read; nothing of its code is. */
const PACKAGE = '@weir/console/package.json';
const PAGE = 'index.html';
const A_YEAR_MS = 365 * 86_400_000;
const NOT_BUILT = 'The console is not built. Run `npm run build`, then reload this page.\n';

/** The pages of the console: hashed files for ever, as they were compressed when they were built, and one page for every other path, which finds its way by itself. */
export function mountFiles(router: Router, given: string | undefined): void {
  const folder = given ?? findFolder();
  const serve = { index: false, redirect: false } as const;
  if (folder !== undefined) {
    const assets = expressStaticGzip(join(folder, 'assets'), {
      ...{ index: false, enableBrotli: true, orderPreference: ['br', 'gzip'] },
      serveStatic: { ...serve, immutable: true, maxAge: A_YEAR_MS },
    });
    router.use(`${CONSOLE_PATH}/assets`, assets);
  }
  // Before the other files: what a page names there and is missing must not be the page.
  router.use(`${CONSOLE_PATH}/assets`, refuse(404, 'There is no such file.\n'));
  if (folder !== undefined) {
    router.use(
      CONSOLE_PATH,
      express.static(folder, { ...serve, setHeaders: (response) => response.setHeader('cache-control', 'no-cache') }),
    );
  }
  router.get([CONSOLE_PATH, `${CONSOLE_PATH}/*path`], servePage(folder));
}

function servePage(folder: string | undefined): RequestHandler {
  const sayNotBuilt = refuse(503, NOT_BUILT);
  return (request, response, next) => {
    if (folder === undefined || !existsSync(join(folder, PAGE))) sayNotBuilt(request, response, next);
    else response.sendFile(PAGE, { root: folder, cacheControl: false, headers: { 'cache-control': 'no-cache' } });
  };
}

function refuse(status: number, text: string): RequestHandler {
  return (_request, response) => {
    response.status(status).set('cache-control', 'no-store').type('text/plain').send(text);
  };
}

/** Where the package of the console is built to; undefined where it is not installed. */
function findFolder(): string | undefined {
  try {
    return join(dirname(require.resolve(PACKAGE)), 'dist');
  } catch {
    return undefined;
  }
}
