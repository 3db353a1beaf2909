import type { Attempt } from '@weir/contracts';

/** What fails together: a provider's region under one account. */
export function routeOf(attempt: Attempt): string {
  const account = attempt.credentialId ?? 'own';
  return `${attempt.providerId} ${attempt.region ?? '-'} ${account}`;
}

/** What is equally fast: a model at one place. Streams are apart, since their first byte comes before they are done. */
export function paceOf({ modelId, providerId, region }: Attempt, isStream: boolean): string {
  return `${modelId} ${providerId} ${region ?? '-'} ${isStream ? 'stream' : 'whole'}`;
}

/** What `routeOf` joined. None of the parts has a space in it. */
export function readRoute(route: string): { readonly provider: string; readonly region: string | null; readonly account: string | null } {
  const [provider = '', region, account] = route.split(' ');
  return { provider, region: partOf(region), account: account === 'own' ? null : (account ?? null) };
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
