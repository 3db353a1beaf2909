import type { Attempt, Modality } from '@weir/contracts';
import type { RoutingMap } from './resolve/routing-map';

/** An organization's own account at a provider, as far as routing has to know it. */
export type OwnKey = {
  readonly id: string;
  readonly name: string;
  readonly providerId: string;
  /** `only`: the gateway's own account at this provider is never used. */
  readonly mode: 'prefer' | 'only';
  readonly modalities: readonly Modality[];
  /** Sealed for the worker. */
  readonly credential: string;
};

const ATTEMPTS_MAX = 10;
/** All that travels in one passport has to fit into a header. */
const CREDENTIAL_CHARACTERS_MAX = 9_000;

/** The map of an organization with keys of its own: they reach providers that the gateway has no account with. */
export function widenMap<Map extends Pick<RoutingMap, 'isRoutable'>>(map: Map, ownKeys: readonly OwnKey[]): Map {
  if (ownKeys.length === 0) return map;
  const isRoutable: RoutingMap['isRoutable'] = (providerId, modality) =>
    map.isRoutable(providerId, modality) || ownKeys.some((key) => key.providerId === providerId && key.modalities.includes(modality));
  return { ...map, isRoutable };
}

/**
 * Puts the organization's own keys into a plan: each attempt is made with them first, in the order of their creation, and
 * with the gateway's account after that, unless one of them says `only` or there is no such account.
 */
export function planOwnKeys(
  attempts: readonly [Attempt, ...Attempt[]],
  ownKeys: readonly OwnKey[],
  isOurs: (providerId: string) => boolean,
): readonly [Attempt, ...Attempt[]] {
  if (ownKeys.length === 0) return attempts;
  let charactersLeft = CREDENTIAL_CHARACTERS_MAX;
  const planned: Attempt[] = [];
  for (const attempt of attempts) {
    const keys = ownKeys.filter(({ providerId }) => providerId === attempt.providerId);
    for (const { id, name, credential } of keys) {
      const isFirst = planned.length === 0;
      if (!isFirst && credential.length > charactersLeft) continue;
      charactersLeft -= credential.length;
      planned.push({ ...attempt, isByok: true, credentialId: id, credentialName: name, credential });
    }
    if (keys.length === 0 || (keys.every(({ mode }) => mode === 'prefer') && isOurs(attempt.providerId))) planned.push(attempt);
  }
  return planned.slice(0, ATTEMPTS_MAX) as [Attempt, ...Attempt[]];
}
