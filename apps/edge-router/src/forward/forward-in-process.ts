import type { ServiceId } from '@weir/contracts';
import type { RequestPriority, WorkerHandler, ForwardedRequest } from '@weir/http-server';

/** An admitted request on its way to a worker. */
export type AdmittedRequest = ForwardedRequest & {
  /** Absent: it is work that somebody pays for. */
  readonly priority?: RequestPriority;
  /** Gives back what was taken for the request. Called, before the caller gets an answer, when no worker has begun it. */
  readonly giveBack?: () => Promise<void>;
};

/** Hands an admitted request to the service that serves its endpoint. */
export type ForwardToService = (service: ServiceId, admitted: AdmittedRequest) => Promise<void>;

/** The adapter for one process: a plain call, nothing is serialised. */
export function createInProcessForward(workers: Partial<Record<ServiceId, WorkerHandler>>): ForwardToService {
  return (service, admitted) => {
    const handle = workers[service];
    if (handle === undefined) return Promise.reject(new Error(`no worker serves ${service} in this process`));
    return handle(admitted);
  };
}
