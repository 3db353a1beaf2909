import type { Fail, ReceivedForm, RequestScope } from '@weir/http-server';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as the server hands it over, before anything is known of it. */
export type ArrivedRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly scope: RequestScope;
};

/** One that is to be admitted. */
export type InboundRequest = ArrivedRequest & {
  /** Gets what ends the request once its body was waited for. */
  readonly fail: Fail;
  /** Called with a form as soon as it is received. Its owner discards it, however the request ends. */
  readonly keepForm?: ((form: ReceivedForm) => void) | undefined;
};
