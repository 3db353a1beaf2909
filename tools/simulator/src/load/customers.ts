import type { KeyRecord, OrganizationRule } from '@weir/access';
import type { Attempt } from '@weir/contracts';
import { bindRules, readLimitRules, type BoundRule } from '@weir/limits';
import { rollUuid, type Dice } from '../physics/dice';

/** What a token costs, in pico-dollars, as the price sheet below says it. */
const INPUT_PICO = 1_500_000n;
const PRICES: Attempt['prices'] = {
  kind: 'chat',
  version: 'simulated-1',
  tiers: [
    {
      threshold: 0,
      input: '0.0000015',
      output: '0.00000725',
      cachedRead: '0.00000015',
      cacheWrite5m: '0.0000018751',
      cacheWrite1h: '0.000003',
    },
  ],
};
const FREE: Attempt['prices'] = {
  kind: 'chat',
  version: 'simulated-free-1',
  tiers: [{ threshold: 0, input: '0', output: '0', cachedRead: '0', cacheWrite5m: '0', cacheWrite1h: '0' }],
};
/** What a request of the load sets aside, more or less. */
const HELD_PICO = 300n * INPUT_PICO + 400n * 7_250_000n;

export type Customer = {
  readonly key: KeyRecord;
  readonly plans: readonly (readonly Attempt[])[];
  readonly freePlan: readonly Attempt[];
  /** The limits of its organization's table that bind it. */
  readonly bound: readonly BoundRule[];
  /** Its requests are charged for attempts that failed. */
  readonly chargesFailures: boolean;
};

/** Amounts above which nothing may be charged and held, by organization and what its scopes begin with. */
export type LimitMaxima = ReadonlyMap<string, bigint>;

export type Customers = { readonly list: readonly Customer[]; readonly maxima: LimitMaxima };

/** Organizations with keys, some of them limited so that about half of their requests fit. */
export function makeCustomers(dice: Dice, requests: number, startMs: number): Customers {
  const maxima = new Map<string, bigint>();
  const list: Customer[] = [];
  const organizations = dice.between(1, 3);
  const share = BigInt(Math.max(1, Math.floor(requests / organizations)));
  for (let made = 0; made < organizations; made += 1) {
    const organizationId = rollUuid(dice);
    const limits = makeLimits(dice, share, startMs);
    for (const { id, document } of limits) maxima.set(`${organizationId} limit:${id}:`, amountOf(document));
    const creditPico = dice.chance(0.5) ? (HELD_PICO * share * BigInt(dice.between(10, 40))) / 100n : null;
    if (creditPico !== null) maxima.set(`${organizationId} balance`, creditPico);
    const chargesFailures = dice.chance(0.2);
    const limitsUnavailable = dice.pick(['lease', 'deny'] as const);
    const organization = { creditPico, isClampedToLimit: dice.chance(0.4), limitsUnavailable, chargesFailedAttempts: chargesFailures };
    for (let keys = dice.between(1, 3); keys > 0; keys -= 1) {
      const apiKeyId = rollUuid(dice);
      const monthlyLimitPico = dice.chance(0.6) ? (HELD_PICO * share * BigInt(dice.between(5, 40))) / 100n : null;
      if (monthlyLimitPico !== null) maxima.set(`${organizationId} key:${apiKeyId}:`, monthlyLimitPico);
      const key = describeKey({ apiKeyId, organizationId, monthlyLimitPico, userId: rollUuid(dice) }, organization);
      const plans = [1, 2, 3].map((attempts) => Array.from({ length: attempts }, (_, at) => makeAttempt(at, PRICES)));
      const bound = bindRules(readLimitRules(limits, { createMatcher: () => () => true, timeZone: 'UTC' }), {
        key,
        modality: 'chat',
        attempts: plans[0] ?? [],
      });
      list.push({ key, plans, freePlan: [makeAttempt(0, FREE)], bound, chargesFailures });
    }
  }
  return { list, maxima };
}

type KeySettings = Pick<KeyRecord, 'apiKeyId' | 'organizationId' | 'monthlyLimitPico' | 'userId'>;
type OrganizationSettings = Pick<
  KeyRecord['organization'],
  'creditPico' | 'isClampedToLimit' | 'limitsUnavailable' | 'chargesFailedAttempts'
>;

/** A key that may ask for whatever its limits leave. */
function describeKey(settings: KeySettings, organization: OrganizationSettings): KeyRecord {
  return {
    ...settings,
    ...{ name: 'simulated', isAdministrator: false, groupId: null, status: 'active', expiresAtMs: null },
    permissions: { manage: 'none', completions: 'write' },
    ...{ memberRateLimitRpm: null, groupLimits: null, apiKeyLabelSetId: null, groupLabelSetId: null },
    ...{ keyAccessList: null, groupAccessList: null },
    organization: {
      ...{
        budgetMode: 'global',
        dataResidency: null,
        isZeroDataRetention: false,
        isTrainingAllowed: true,
        tier: 'free',
        approvedModels: null,
      },
      ...organization,
    },
  };
}

function makeAttempt(at: number, prices: Attempt['prices']): Attempt {
  const [modelId, providerId] = [`sim/model-${at}`, `provider-${at}`];
  return { modelId, providerId, upstreamModel: modelId, region: null, isByok: false, isFree: prices === FREE, prices };
}

function makeLimits(dice: Dice, share: bigint, startMs: number): OrganizationRule[] {
  const rules: OrganizationRule[] = [];
  const add = (measure: string, window: string, amount: string): void => {
    const document = { scope: 'organization', measure, window, amount, action: 'refuse' };
    rules.push({ id: rollUuid(dice), name: measure, version: 1, document, createdAtMs: startMs - 1_000 });
  };
  const part = (): bigint => BigInt(dice.between(10, 60));
  if (dice.chance(0.3)) add('requests', dice.pick(['hour', 'day', 'total']), String((share * part()) / 100n + 1n));
  if (dice.chance(0.3)) add('tokens', dice.pick(['day', '24h']), String((share * 700n * part()) / 100n + 700n));
  if (dice.chance(0.3)) add('output_tokens', 'month', String((share * 400n * part()) / 100n + 400n));
  return rules;
}

function amountOf(document: unknown): bigint {
  return BigInt((document as { amount: string }).amount);
}
