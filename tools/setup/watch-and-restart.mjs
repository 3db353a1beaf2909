import { watchFolders } from './watch-folders.mjs';

const QUIET_MS = 60;

/**
 * Builds and starts, and does both again after every change below `folders`: `build` resolves to whether it went well, and only then
 * the process before is stopped and `start` is called; until then it goes on. `start` resolves to what can be stopped, once it is ready.
 */
export async function watchAndRestart({ folders, isSource, build, start, log }) {
  let running;
  let changedAt;
  let work;
  let isStopped = false;

  async function round(since) {
    if (!(await build())) {
      log(running === undefined ? 'not built: waiting for a change' : 'not built: the gateway from before goes on');
      return;
    }
    if (isStopped || changedAt !== undefined) return;
    await running?.stop();
    running = undefined;
    if (isStopped) return;
    try {
      running = await start();
      log(`ready after ${((Date.now() - since) / 1000).toFixed(1)} s`);
    } catch (error) {
      log(`${error.message}: waiting for a change`);
    }
  }

  /** One round at a time; what changes meanwhile is one more. */
  async function runRounds() {
    while (changedAt !== undefined && !isStopped) {
      const since = changedAt;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      changedAt = undefined;
      await round(since);
    }
  }

  function notice() {
    changedAt ??= Date.now();
    work ??= runRounds().finally(() => (work = undefined));
  }

  const unwatch = watchFolders(folders, (path) => isSource(path) && notice());
  notice();
  return {
    async stop() {
      isStopped = true;
      unwatch();
      await work;
      await running?.stop();
    },
  };
}
