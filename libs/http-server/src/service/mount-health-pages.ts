import type { Express } from 'express';
import type { Health } from './health';

/** `/healthz`: does the process live; `/readyz`: would a request succeed. */
export function mountHealthPages(app: Express, health: Health): void {
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'alive' });
  });
  app.get('/readyz', async (_request, response) => {
    const problems = await health.readProblems();
    response.status(problems === null ? 200 : 503).json(problems === null ? { status: 'ready' } : { status: 'not ready', problems });
  });
}
