import { createLink, type Link } from '@weir/process-links';
import type { RunningService } from '@weir/http-server';
import { Socket } from 'node:net';

/** Where the process that started this one has put its end of the link. */
export const LINK_FD = 4;

const REPORT_EVERY_MS = 250;

/**
 * The link to the process that started this one. A signal from a terminal or a shell reaches all of them: that process alone
 * decides what it means. `onLost` is called when it is gone.
 */
export function openParentLink(onLost: () => void): Link {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const link = createLink(new Socket({ fd: LINK_FD, readable: true, writable: true }));
  link.onLost(onLost);
  return link;
}

/** Ends a process that cannot start. Why is said by the one that started it, which may have heard it from others as well. */
export function failForParent(link: Link, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  void link
    .call('failed', reason)
    .catch(() => undefined)
    .finally(() => process.exit(1));
}

/** Serves the wish to stop, and reports how many requests are running. Ends the process when the service has stopped. */
export function stopForParent(link: Link, service: Pick<RunningService, 'stop' | 'runningRequests'>, exit: (code: number) => void): void {
  link.serve({
    stop: (drainTimeoutMs: number) => {
      service.stop(drainTimeoutMs).then(
        () => exit(0),
        () => exit(1),
      );
    },
  });
  let reported = 0;
  setInterval(() => {
    const running = service.runningRequests();
    if (running !== reported) link.notify('running', running);
    reported = running;
  }, REPORT_EVERY_MS).unref();
}
