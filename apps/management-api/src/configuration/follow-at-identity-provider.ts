import type { Step } from '@weir/configuration';
import { admitAtIdentityProvider } from '../identity/admit-at-identity-provider';
import { finishOffboarding } from '../identity/finish-offboarding';
import type { RouteParts } from '../route/management-parts';

/**
 * Adds and removes people where they sign in, once that is done here. Returns what could not be: a removal is tried again by itself,
 * an admission by adding the member once more.
 */
export async function followAtIdentityProvider(parts: RouteParts, organizationId: string, steps: readonly Step[]): Promise<string[]> {
  const notes: string[] = [];
  for (const { action, kind, name, id } of steps) {
    if (kind !== 'member' || id === undefined) continue;
    const key = { organizationId, userId: id };
    try {
      if (action === 'create') await admitAtIdentityProvider(parts, key);
      if (action === 'delete') await finishOffboarding(parts, key);
    } catch (error) {
      parts.log.warn({ error, organizationId, userId: id }, 'a member could not be added or removed at the identity provider');
      notes.push(
        action === 'create'
          ? `${name}: the identity provider could not add them, who are members here already; send POST /v1/manage/org/member with their e-mail to finish`
          : `${name}: the identity provider could not remove them, whose keys are invalid already; that is tried again by itself`,
      );
    }
  }
  return notes;
}
