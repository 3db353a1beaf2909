/** What a call watches to be cut short: an AbortSignal, or the lighter one of a cancellation. */
export type CancelSignal = {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

type Cancellation = { readonly signal: CancelSignal; abort(reason: unknown): void };

/** An AbortController for the hot path: making node's own costs as much as sending a request. */
export function createCancellation(): Cancellation {
  const signal = new Signal();
  return { signal, abort: (reason) => signal.abort(reason) };
}

class Signal implements CancelSignal {
  aborted = false;
  reason: unknown;
  /** Made when there is one. */
  private listeners: (() => void)[] | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) (this.listeners ??= []).push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const { listeners } = this;
    if (listeners === undefined) return;
    // Most often it is the last one.
    if (listeners.at(-1) === listener) listeners.pop();
    else this.listeners = listeners.filter((other) => other !== listener);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const reported = this.listeners ?? [];
    this.listeners = undefined;
    for (const listener of reported) listener();
  }
}
