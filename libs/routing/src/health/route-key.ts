import type { Attempt } from '@weir/contracts';

/** What fails together: a provider's region under one account. */
export function routeOf(attempt: Attempt): string {
  return `${attempt.providerId} ${attempt.region ?? '-'} ${nameAccount(attempt)}`;
}

/** An organization's account by its id; the gateway's only one, and one of several: `own`, `own:<id>`. */
function nameAccount({ credentialId, accountId }: Attempt): string {
  if (credentialId !== undefined) return credentialId;
  return accountId === undefined ? OWN : `${OWN}:${accountId}`;
}

const OWN = 'own';

/** What is equally fast: a model at one place. Streams are apart, since their first byte comes before they are done. */
export function paceOf({ modelId, providerId, region }: Attempt, isStream: boolean): string {
  return `${modelId} ${providerId} ${region ?? '-'} ${isStream ? 'stream' : 'whole'}`;
}

type RouteParts = {
  readonly provider: string;
  readonly region: string | null;
  /** An organization's own; null: the gateway's. */
  readonly account: string | null;
  /** Which of the gateway's; absent where it has only one. */
  readonly accountId?: string;
};

/** What `routeOf` joined. None of the parts has a space in it. */
export function readRoute(route: string): RouteParts {
  const [provider = '', region, account = ''] = route.split(' ');
  const place = { provider, region: partOf(region) };
  if (account === OWN || account === '') return { ...place, account: null };
  const ours = `${OWN}:`;
  return account.startsWith(ours) ? { ...place, account: null, accountId: account.slice(ours.length) } : { ...place, account };
}

/** What `paceOf` joined; the model first, whose name may have spaces. */
export function readPace(pace: string): {
  readonly model: string;
  readonly provider: string;
  readonly region: string | null;
  readonly isStream: boolean;
} {
  const parts = pace.split(' ');
  const [provider = '', region, kind] = parts.splice(-3);
  return { model: parts.join(' '), provider, region: partOf(region), isStream: kind === 'stream' };
}

function partOf(region: string | undefined): string | null {
  return region === undefined || region === '-' ? null : region;
}

/** Two attempts at the same place: the later one is a retry of the earlier. */
export function isSamePlace(a: Attempt, b: Attempt): boolean {
  return a.modelId === b.modelId && routeOf(a) === routeOf(b);
}
