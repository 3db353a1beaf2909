import type { Attempt, Modality } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ModelCatalog, ModelRecord } from '@weir/model-catalog';
import { routeOf } from './health/route-key';
import type { AttemptPlan } from './plan-attempts';
import type { RoutingMap } from './resolve/routing-map';
import type { RoutedAccount } from './accounts/account-map';
import { orderAccounts } from './accounts/order-accounts';

type AccountFacts = {
  readonly map: Pick<RoutingMap, 'accounts' | 'health'> & { readonly catalog: Pick<ModelCatalog, 'find'> };
  readonly modality: Modality;
  /** Whether the content of this request may go to a model by an account of this region. */
  readonly mayUse: (record: ModelRecord, region: string | null) => boolean;
  /** 0 ≤ number < 1. */
  readonly random?: (() => number) | undefined;
};

/** Accounts at one place that one request is sent to at most. */
const ACCOUNTS_PER_PLACE = 3;
/** The most attempts of a passport. */
const ATTEMPTS_MAX = 10;
const WHY_LENGTH_MAX = 200;

/** Accounts of one place in their order. `null`: there is nothing to choose. */
type Choice = readonly RoutedAccount[] | null;

/**
 * Makes an attempt at a provider with several accounts one attempt for each of a few of them. Attempts with an organization's own
 * key stay, and so do those at a provider with one key. Throws where no account may be used.
 */
export function planAccounts(plan: AttemptPlan, facts: AccountFacts): AttemptPlan {
  const { accounts } = facts.map;
  if (accounts === undefined) return plan;
  const choices = new Map<string, Choice>();
  const choose = (attempt: Attempt): Choice => {
    const place = `${attempt.modelId} ${attempt.providerId}`;
    let choice = attempt.isByok ? null : choices.get(place);
    if (choice === undefined) choices.set(place, (choice = chooseAccounts(attempt, accounts.of(attempt.providerId), facts)));
    return choice;
  };
  const chosen = plan.attempts.map((attempt) => ({ attempt, choice: choose(attempt) })).filter(({ choice }) => choice?.length !== 0);
  if (chosen.length === plan.attempts.length && chosen.every(({ choice }) => choice === null)) return plan;
  const [first, ...rest] = spread(chosen);
  if (first === undefined) throw explainNone(plan, facts);
  const isSteady = plan.isSteady && chosen.every(({ choice }) => choice === null);
  return { ...plan, attempts: [first, ...rest], record: facts.map.catalog.find(first.modelId) ?? plan.record, isSteady };
}

function chooseAccounts(attempt: Attempt, all: readonly RoutedAccount[], facts: AccountFacts): Choice {
  if (all.length === 0) return null;
  const { map, random = Math.random } = facts;
  const record = map.catalog.find(attempt.modelId);
  const usable = all.filter((account) => canServe(attempt, account, facts.modality) && (!record || facts.mayUse(record, account.region)));
  if (all.length === 1 && usable.length === 1) return null;
  const isEjected = ({ id }: RoutedAccount): boolean => map.health?.isEjected(routeOf({ ...attempt, accountId: id })) === true;
  return orderAccounts(usable, { random, isEjected }).slice(0, ACCOUNTS_PER_PLACE);
}

function canServe({ modelId }: Attempt, account: RoutedAccount, modality: Modality): boolean {
  return account.modalities.includes(modality) && account.serves(modelId);
}

type Chosen = { readonly attempt: Attempt; readonly choice: Choice };

/** Each attempt by its first account, and by further ones while there is place for more; what a policy tries again stays at the first account. */
function spread(chosen: readonly Chosen[]): Attempt[] {
  let free = ATTEMPTS_MAX - Math.min(chosen.length, ATTEMPTS_MAX);
  const begun = new Set<Choice>();
  return chosen.slice(0, ATTEMPTS_MAX).flatMap(({ attempt, choice }) => {
    if (choice === null) return [attempt];
    const others = begun.has(choice) ? [] : choice.slice(1, 1 + free);
    begun.add(choice);
    free -= others.length;
    return [...choice.slice(0, 1), ...others].map((account) => withAccount(attempt, account));
  });
}

function withAccount(attempt: Attempt, { id }: RoutedAccount): Attempt {
  const account = `account ${id} of ${attempt.providerId}`;
  const why = attempt.why === undefined ? account : `${attempt.why}, ${account}`;
  return { ...attempt, accountId: id, why: why.slice(0, WHY_LENGTH_MAX) };
}

function explainNone({ record: { id, provider }, attempts }: AttemptPlan, { map, modality }: AccountFacts): GatewayError {
  const isServed = attempts.some((attempt) => map.accounts?.of(attempt.providerId).some((account) => canServe(attempt, account, modality)));
  return isServed
    ? new GatewayError('data_policy', `No account of this gateway at "${provider}" may have the data of this request to "${id}".`, {
        field: 'model',
      })
    : new GatewayError('provider_not_configured', `No account of this gateway at "${provider}" serves the model "${id}".`, {
        field: 'model',
      });
}
