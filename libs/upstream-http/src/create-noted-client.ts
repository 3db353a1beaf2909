import { Client, type Dispatcher } from 'undici';
import type { ConnectionNotes, UpstreamCall } from './upstream-transport';

export type NotedOptions = Dispatcher.DispatchOptions & {
  readonly headers: Record<string, string>;
  readonly addHeaders: UpstreamCall['addHeaders'];
};

/** One connection of a pool, with notes that are lost when it is: what a request says may depend on who is at its other end. */
class NotedClient extends Client {
  private notes: ConnectionNotes = {};

  constructor(origin: string, options: Client.Options) {
    super(origin, options);
    this.on('disconnect', () => (this.notes = {}));
  }

  override dispatch(options: NotedOptions, handler: Dispatcher.DispatchHandler): boolean {
    try {
      options.addHeaders?.(options.headers, this.notes);
    } catch (error) {
      // Calls that waited are sent at any time: no one else would hear of it.
      (handler as { onError?(error: unknown): void }).onError?.(error);
      return true;
    }
    return super.dispatch(options, handler);
  }
}

export function createNotedClient(origin: string, options: Client.Options): Client {
  return new NotedClient(origin, options);
}
