export type Task = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<unknown> };

export type RunningTasks = {
  /** Ends when no task is running any more. */
  stop(): Promise<void>;
};

type TaskLog = { warn(about: object, message: string): void };

/** Runs each task at its interval, beginning at once. One that fails is logged and runs again at its next time. */
export function repeatTasks(tasks: readonly Task[], log: TaskLog): RunningTasks {
  const running = tasks.map((task) => repeatTask(task, log));
  return { stop: async () => void (await Promise.all(running.map((stop) => stop()))) };
}

function repeatTask({ name, everyMs, run }: Task, log: TaskLog): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const runOnce = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      log.warn({ error, task: name }, 'background task failed; it runs again at its next time');
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      current = runOnce();
    }, everyMs).unref();
  };
  let current = runOnce();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await current;
  };
}
