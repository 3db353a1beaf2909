export type Task = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<unknown> };

export type RunningTasks = {
  /** Ends when nothing is at work any more. */
  stop(): Promise<void>;
};

type TaskLog = { warn(about: object, message: string): void };

/** Does each of them now and then beside the requests, beginning at once. One that fails says so and is done again at its next time. */
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
      log.warn({ error, task: name }, 'a task failed; it is tried again');
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      atWork = runOnce();
    }, everyMs).unref();
  };
  let atWork = runOnce();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await atWork;
  };
}
