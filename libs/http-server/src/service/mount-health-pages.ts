import type { Express, Request } from 'express';
import type { Health } from './health';

type HealthPagesOptions = {
  /** Whether readers are the operator's own: others see which dependencies are away, and not what is said of them. */
  readonly isPrivate: boolean;
};

/** `/healthz`: does the process live; `/readyz`: can it serve what it serves. With `?verbose` both say what is there of what it needs. */
export function mountHealthPages(app: Express, health: Health, { isPrivate }: HealthPagesOptions): void {
  const describe = async ({ query }: Request): Promise<object> => {
    if (query['verbose'] === undefined) return {};
    const states = await health.readDependencies();
    return {
      dependencies: states.map(({ name, problem }) => ({
        ...{ name, status: problem === null ? 'there' : 'away' },
        ...(problem !== null && isPrivate ? { problem } : {}),
      })),
    };
  };
  app.get('/healthz', async (request, response) => {
    response.json({ status: 'alive', ...(await describe(request)) });
  });
  app.get('/readyz', async (request, response) => {
    const [problems, more] = await Promise.all([health.readProblems(), describe(request)]);
    const status = problems === null ? { status: 'ready' } : { status: 'not ready', problems };
    response.status(problems === null ? 200 : 503).json({ ...status, ...more });
  });
}
