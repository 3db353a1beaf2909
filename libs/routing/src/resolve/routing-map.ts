import type { Attempt, Modality, PolicyDocument } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import type { ModelCatalog, ModelRecord } from '@weir/model-catalog';
import type { AccountMap } from '../accounts/account-map';
import type { PlanTrace } from './expand-policy';
import type { MeasuredLatency } from './order-members';
import type { OrganizationRoutes } from './organization-routes';

export type RoutingMap = {
  readonly catalog: ModelCatalog;
  /** Whether there is a provider of this id with credentials, for this modality. */
  readonly isRoutable: (providerId: string, modality: Modality) => boolean;
  /** Policies that every organization has, by name; one of its own with the same name takes precedence. */
  readonly managed?: ReadonlyMap<string, PolicyDocument> | undefined;
  /** The settings that would set up a provider, in words; undefined for one that no setting sets up. */
  readonly settingsOf?: ((providerId: string) => string | undefined) | undefined;
  /** The gateway's accounts at providers; absent: one key each. */
  readonly accounts?: AccountMap | undefined;
  /** What is known of places; absent: nothing. */
  readonly health?:
    | {
        readonly latencyOf: (attempt: Attempt, isStream: boolean) => MeasuredLatency;
        readonly isEjected: (route: string) => boolean;
      }
    | undefined;
};

/** Whose request a plan is for. What is absent decides nothing. */
export type PlanAsk = {
  readonly routes?: OrganizationRoutes;
  /**
   * Why this caller may not have a model: it is left out of policies, and refused when it was named itself. `names` are the
   * aliases and policies that led to it.
   */
  readonly checkRecord?: (record: ModelRecord, names: readonly string[]) => GatewayError | undefined;
  /** The request came by the responses interface: a vendor's own name then means the model behind that interface. */
  readonly prefersResponses?: boolean;
  /** What a policy's requests go the same way by; asked only when one does. */
  readonly stickyValue?: (by: NonNullable<PolicyDocument['sticky_by']>) => string | null;
  readonly isStream?: boolean;
  /** The most that this request may cost at a place, in pico-dollars. */
  readonly priceOf?: (attempt: Attempt) => bigint;
  /** 0 ≤ number < 1. */
  readonly random?: () => number;
  /** Watches how policies are ordered. */
  readonly trace?: PlanTrace | undefined;
};
