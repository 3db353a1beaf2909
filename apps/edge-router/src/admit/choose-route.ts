import type { ModelGuard, Principal } from '@weir/access';
import type { EndpointRow } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ParsedBody } from '@weir/http-server';
import { planAccounts, planAttempts, readRoutes, type AttemptPlan, type PlanTrace } from '@weir/routing';
import type { IncomingHttpHeaders } from 'node:http';
import { boundPlan } from './holds/bound-plan';
import { mayUseAccount } from '../data-rules/data-guard';
import { readRequestMetadata } from '../request/read-request-metadata';
import type { Ruling } from './rule-request';

export type RouteAsk = {
  readonly principal: Principal;
  readonly ruling: Ruling;
  readonly endpoint: EndpointRow;
  readonly modelId: string;
  readonly headers: IncomingHttpHeaders;
  readonly parsed: Pick<ParsedBody, 'json'>;
  readonly bodyBytes: number;
  /** Watches how policies are ordered; absent for requests that are sent. */
  readonly trace?: PlanTrace | undefined;
};

export type RoutingParts = { readonly guard: ModelGuard };

/** Where a request may go, in order: only to models that its key may use and its content may reach. Throws the refusal. */
export function chooseRoute(ask: RouteAsk, parts: RoutingParts): AttemptPlan {
  try {
    return planRoute(ask, parts);
  } catch (error) {
    const named = ask.parsed.json['model'];
    if (!(error instanceof GatewayError) || (named !== undefined && named !== null)) throw error;
    const about = `The request names no model, and the default model "${ask.modelId}" cannot serve it.`;
    throw new GatewayError(error.code, `${about} ${error.message} Name a model in \`model\`.`, error.details);
  }
}

function planRoute(ask: RouteAsk, { guard }: RoutingParts): AttemptPlan {
  const { principal, ruling, endpoint, modelId, parsed, bodyBytes } = ask;
  const { map, rules } = ruling;
  const { catalog, isRoutable, managed, health, accounts, settingsOf } = map;
  const plan = ruling.addOwnKeys(
    planAttempts(modelId, endpoint.modality ?? 'chat', {
      catalog,
      isRoutable,
      managed,
      health,
      accounts,
      settingsOf,
      ask: {
        routes: readRoutes(rules),
        checkRecord: (record, names) => guard.refuse(principal, record, names) ?? ruling.checkRecord(record),
        prefersResponses: endpoint.dialect === 'responses',
        stickyValue: (by) => {
          const { traceId, endUserId } = readRequestMetadata(ask.headers, parsed.json);
          return by === 'trace_id' ? traceId : endUserId;
        },
        trace: ask.trace,
        isStream: parsed.json['stream'] === true,
        priceOf: (attempt) => boundPlan({ endpoint, attempts: [attempt], json: parsed.json, bodyBytes }, catalog).worstPico,
      },
    }),
  );
  return planAccounts(plan, {
    map,
    modality: endpoint.modality ?? 'chat',
    mayUse: (record, region) => mayUseAccount(ruling.data, record, region),
  });
}
