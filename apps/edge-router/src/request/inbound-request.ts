import type { ReceivedForm, RequestScope } from '@weir/http-server';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as the server hands it over, before anything is known of it. */
export type InboundRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly scope: RequestScope;
  /** Called with a form as soon as it is received. Its owner discards it, however the request ends. */
  readonly keepForm?: ((form: ReceivedForm) => void) | undefined;
};
