import type { AggregatorLog } from './consume-usage-events';

export type Task = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<unknown> };

export type RunningTask = {
  /** Ends when nothing is at work any more. */
  stop(): Promise<void>;
};

/** Does something now and then, beginning at once. A task that fails says so and is done again at its next time. */
export function repeatTask({ name, everyMs, run }: Task, log: AggregatorLog): RunningTask {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const runOnce = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      log.warn({ error, task: name }, 'a task failed; it is tried again');
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      atWork = runOnce();
    }, everyMs).unref();
  };
  let atWork = runOnce();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await atWork;
    },
  };
}
