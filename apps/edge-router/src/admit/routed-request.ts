import type { Principal } from '@weir/access';
import type { ParsedBody } from '@weir/http-server';
import type { InboundRequest } from '../request/inbound-request';
import type { PreparedCall } from './prepared-calls';

/** A request whose caller is known and whose route is chosen. */
export type RoutedRequest = {
  readonly inbound: InboundRequest;
  readonly principal: Principal;
  /** As it goes to a worker. */
  readonly parsed: ParsedBody;
  readonly call: PreparedCall;
};
