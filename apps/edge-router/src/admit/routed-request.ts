import type { Principal } from '@weir/access';
import type { ParsedBody } from '@weir/http-server';
import type { AttemptPlan } from '@weir/routing';
import type { InboundRequest } from '../request/inbound-request';
import type { Ruling } from './rule-request';

/** A request whose caller is known and whose route is chosen. */
export type RoutedRequest = {
  readonly inbound: InboundRequest;
  readonly principal: Principal;
  /** As it goes to a worker. */
  readonly parsed: ParsedBody;
  readonly ruling: Ruling;
  readonly plan: AttemptPlan;
};
