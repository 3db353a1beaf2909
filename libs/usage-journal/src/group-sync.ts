/**
 * Lets many callers share one sync: one is at work at a time, and everybody who comes meanwhile shares the next one.
 * A failed sync is never tried again, because the kernel may have dropped the pages it could not write.
 */
export class GroupSync {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves once everything written before the call is synced. */
  sync(): Promise<void> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    if (this.next !== undefined) return this.next;
    if (this.running === undefined) return this.start();
    this.next = this.running.then(() => {
      this.next = undefined;
      return this.start();
    });
    return this.next;
  }

  private start(): Promise<void> {
    const running = this.work().then(
      () => {
        this.running = undefined;
      },
      (error: unknown) => {
        this.failure = error instanceof Error ? error : new Error(String(error));
        this.running = undefined;
        throw this.failure;
      },
    );
    this.running = running;
    return running;
  }
}
