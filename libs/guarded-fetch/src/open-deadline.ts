type Deadline = { readonly signal: AbortSignal; readonly close: () => void };

/** A signal that aborts with `makeReason()` after `ms`, or with the outer signal's own reason as soon as that aborts. */
export function openDeadline(ms: number, makeReason: () => Error, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(makeReason()), ms);
  const onOuter = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) onOuter();
  else outer?.addEventListener('abort', onOuter, { once: true });
  return {
    signal: controller.signal,
    close: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}

/** Settles as `promise` does, or rejects with the signal's reason if that comes first. */
export function raceSignal<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
