import type { ServiceId } from '@weir/contracts';
import type { WorkerHandler } from '@weir/http-server';

/** Hands an admitted request to the service that serves its endpoint. */
export type ForwardToService = (service: ServiceId, work: Parameters<WorkerHandler>[0]) => Promise<void>;

/** The adapter for one process: a plain call, nothing is serialised. */
export function createInProcessForward(workers: Partial<Record<ServiceId, WorkerHandler>>): ForwardToService {
  return (service, work) => {
    const handle = workers[service];
    if (handle === undefined) return Promise.reject(new Error(`no worker serves ${service} in this process`));
    return handle(work);
  };
}
