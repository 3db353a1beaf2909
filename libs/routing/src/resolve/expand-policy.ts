import type { Attempt, PolicyDocument } from '@weir/contracts';
import { GatewayError, type ErrorCode } from '@weir/errors';
import type { ModelRecord } from '@weir/model-catalog';
import { orderMembers, type MeasuredLatency, type Member } from './order-members';

export const POLICY_PREFIX = 'policy/';

/** A model where it is served. */
export type Place = { readonly record: ModelRecord; readonly attempt: Attempt };

/** A place of a policy, to be tried once and then `retries` times more. */
export type Step = { readonly place: Place; readonly retries: number; readonly why: string };

export type SkippedMember = { readonly id: string; readonly code: ErrorCode };

/** One policy as it was ordered, for those who want to know why. */
export type OrderedPolicy = {
  readonly policyId: string;
  readonly strategy: PolicyDocument['strategy'];
  /** Why the first one is first. */
  readonly reason: string;
  /** In the order in which they are tried; only those that the request can use. */
  readonly members: readonly (Member & { readonly attempt: Attempt })[];
};

/** Watches a plan as it is made, and decides nothing. */
export type PlanTrace = {
  readonly noteOrder: (ordered: OrderedPolicy) => void;
  readonly noteSkipped: (skipped: ExplainedSkip) => void;
};

type ExplainedSkip = SkippedMember & { readonly policyId: string; readonly message: string };

type ExpandedPolicy = { readonly steps: readonly Step[]; readonly skipped: readonly SkippedMember[] };

type PolicyParts = {
  /** By name, without `policy/`. */
  readonly findPolicy: (name: string) => PolicyDocument | undefined;
  /** Throws why a model cannot be used as a member of this policy. */
  readonly findPlace: (modelId: string, policyId: string) => Place;
  readonly stickyValue: (by: NonNullable<PolicyDocument['sticky_by']>) => string | null;
  readonly priceOf: (attempt: Attempt) => bigint;
  readonly latencyOf: (attempt: Attempt) => MeasuredLatency;
  readonly random: () => number;
  readonly trace?: PlanTrace | undefined;
};

/** A member with everything in it: the steps of a policy, one step of a model. The first of each stands for all of them. */
type Branch = Member & { readonly steps: readonly [Step, ...Step[]]; readonly retries: number };

/** Policies may hold one another; one that is deeper than this holds itself. */
const DEPTH_MAX = 8;
/** Far more than a request is ever sent to, so that some may be ejected. */
const STEPS_MAX = 64;

/**
 * The places of a policy in the order in which they are tried. A policy inside it is ordered by its own strategy and takes
 * one member's place in the outer one. Throws `model_not_found` for a policy that is not there.
 */
export function expandPolicy(policyId: string, parts: PolicyParts): ExpandedPolicy {
  const skipped: SkippedMember[] = [];
  const document = parts.findPolicy(policyId.slice(POLICY_PREFIX.length));
  if (document === undefined) {
    throw new GatewayError(
      'model_not_found',
      `There is no policy "${policyId.slice(0, 200)}". GET /v1/models/managed lists those there are.`,
      {
        field: 'model',
      },
    );
  }
  const skip = (member: ExplainedSkip): void => {
    skipped.push({ id: member.id, code: member.code });
    parts.trace?.noteSkipped(member);
  };
  return { steps: expand({ id: policyId, document, path: [policyId] }, { ...parts, skip, expanded: new Map() }), skipped };
}

type Expanding = PolicyParts & {
  readonly skip: (member: ExplainedSkip) => void;
  /** What policies and models inside came to: they may be named many times over, and each is looked at once on every level. */
  readonly expanded: Map<string, readonly Step[]>;
};
type Level = { readonly id: string; readonly document: PolicyDocument; readonly path: readonly string[] };

function expand({ id, document, path }: Level, parts: Expanding): Step[] {
  const branches = document.models.flatMap((member) => {
    const [first, ...rest] = expandMember(member.model, path, parts);
    return first === undefined
      ? []
      : [{ id: member.model, weight: member.weight, retries: member.retries, steps: [first, ...rest] } as Branch];
  });
  const { members, reason } = orderMembers(document.strategy, branches, {
    sticky: document.sticky_by === undefined ? null : parts.stickyValue(document.sticky_by),
    random: parts.random,
    priceOf: ({ steps }) => parts.priceOf(steps[0].place.attempt),
    latencyOf: ({ steps }) => parts.latencyOf(steps[0].place.attempt),
  });
  parts.trace?.noteOrder({
    ...{ policyId: id, strategy: document.strategy, reason },
    members: members.map((branch) => ({ id: branch.id, weight: branch.weight, attempt: branch.steps[0].place.attempt })),
  });
  const steps = members.flatMap((branch, index) =>
    branch.steps.map((step) => ({
      place: withDeadlines(step.place, document),
      retries: Math.max(step.retries, branch.retries),
      why: joinReasons(`${id}: ${index === 0 ? reason : `fallback ${index}`}`, step.why),
    })),
  );
  return withoutRepeats(steps).slice(0, STEPS_MAX);
}

/** A policy inside this one has its own say first. */
function withDeadlines(place: Place, { first_content_ms: content, idle_ms: idle }: PolicyDocument): Place {
  if (content === undefined && idle === undefined) return place;
  const { attempt } = place;
  return {
    ...place,
    attempt: {
      ...(content === undefined ? {} : { firstContentMs: content }),
      ...(idle === undefined ? {} : { idleMs: idle }),
      ...attempt,
    },
  };
}

function expandMember(id: string, path: readonly string[], parts: Expanding): readonly Step[] {
  const isPolicy = id.startsWith(POLICY_PREFIX);
  // What a policy comes to depends on how deep it stands: too deep, it comes to nothing.
  // Whether a model may be used depends on the policy whose member it is.
  const policyId = path.at(-1) ?? '';
  const key = isPolicy ? `${path.length} ${id}` : `${policyId} ${id}`;
  const known = parts.expanded.get(key);
  if (known !== undefined) return known;
  const steps = isPolicy ? expandInner(id, path, parts) : expandModel(id, policyId, parts);
  parts.expanded.set(key, steps);
  return steps;
}

function expandInner(policyId: string, path: readonly string[], parts: Expanding): Step[] {
  const document = parts.findPolicy(policyId.slice(POLICY_PREFIX.length));
  if (document === undefined || path.includes(policyId) || path.length >= DEPTH_MAX) {
    const message = document === undefined ? `There is no policy "${policyId}".` : `"${policyId}" holds itself, or stands too deep.`;
    parts.skip({ id: policyId, code: 'model_not_found', policyId: path.at(-1) ?? '', message });
    return [];
  }
  return expand({ id: policyId, document, path: [...path, policyId] }, parts);
}

function expandModel(modelId: string, policyId: string, parts: Expanding): Step[] {
  try {
    return [{ place: parts.findPlace(modelId, policyId), retries: 0, why: '' }];
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    parts.skip({ id: modelId, code: error.code, policyId, message: error.message });
    return [];
  }
}

function joinReasons(outer: string, inner: string): string {
  return inner === '' ? outer : `${outer} > ${inner}`;
}

/** A model that several branches lead to is tried where it comes first. */
function withoutRepeats(steps: readonly Step[]): Step[] {
  const seen = new Set<string>();
  return steps.filter(({ place }) => {
    if (seen.has(place.record.id)) return false;
    seen.add(place.record.id);
    return true;
  });
}
