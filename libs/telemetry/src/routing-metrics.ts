import { Gauge, type Registry } from 'prom-client';
import { createLabelBound } from './label-bound';
import { createTallies, type Tally } from './create-tallies';

/** What fails together and is left alone together. */
type EjectedPlace = {
  readonly provider: string;
  readonly region: string | null;
  /** An organization's own; null: the gateway's. */
  readonly account: string | null;
  /** Which of the gateway's; absent where it has only one. */
  readonly accountId?: string | undefined;
};

type AccountAllowance = { readonly providerId: string; readonly accountId: string; readonly left: number };

type RoutingReadings = {
  readonly ejected: () => readonly EjectedPlace[];
  readonly allowances: () => readonly AccountAllowance[];
};

/** Of the catalogue, and a few of an installation's own. */
const PROVIDERS_MAX = 200;
const ACCOUNTS_MAX = 200;
/** Accounts of organizations are many, and their ids belong into no metric. */
const OWN_KEY = 'own key';
const ONLY_ACCOUNT = 'default';

/** Metrics of where requests go: what is left alone, what failed and what followed, and what accounts have left. */
export function createRoutingMetrics(registry: Registry, { ejected, allowances }: RoutingReadings) {
  const boundProvider = createLabelBound(PROVIDERS_MAX);
  const boundAccount = createLabelBound(ACCOUNTS_MAX);
  new Gauge({
    name: 'weir_routes_ejected',
    help: 'Places that are left alone because what was sent there failed: a region of a provider under one account',
    labelNames: ['provider', 'region', 'account'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { provider, region, account, accountId = ONLY_ACCOUNT } of ejected()) {
        this.inc({
          provider: boundProvider(provider),
          region: region ?? '',
          account: account === null ? boundAccount(accountId) : OWN_KEY,
        });
      }
    },
  });
  new Gauge({
    name: 'weir_account_allowance_ratio',
    help: 'What is left of the limits of an account, as its provider last said: 0 to 1, of the model with least left',
    labelNames: ['provider', 'account'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, left] of leastOf(allowances())) {
        const [provider = '', account = ''] = key.split(' ');
        this.set({ provider: boundProvider(provider), account: boundAccount(account) }, left);
      }
    },
  });
  const failures = createTallies({
    name: 'weir_attempt_failures_total',
    help: 'Attempts that failed before anything reached the caller, by error code, and what followed: retry (the same place), fallback (another one), none (the request failed)',
    labelNames: ['provider', 'code', 'next'],
    registers: [registry],
  });
  const counted = new Map<string, Tally>();
  return {
    failed: (providerId: string, code: string, next: 'retry' | 'fallback' | 'none'): void => {
      const provider = boundProvider(providerId);
      const key = `${provider} ${code} ${next}`;
      let tally = counted.get(key);
      if (tally === undefined) counted.set(key, (tally = failures({ provider, code, next })));
      tally.add(1);
    },
  };
}

function leastOf(allowances: readonly AccountAllowance[]): Map<string, number> {
  const least = new Map<string, number>();
  for (const { providerId, accountId, left } of allowances) {
    const key = `${providerId} ${accountId}`;
    least.set(key, Math.min(left, least.get(key) ?? 1));
  }
  return least;
}
