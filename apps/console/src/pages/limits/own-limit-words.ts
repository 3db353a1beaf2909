import type { CsvColumn } from '../../format/csv';
import type { BindingLimit } from './limits-queries';

type NamedKey = { readonly id: string; readonly name: string };
type ListedKey = NamedKey & { readonly status: string; readonly created_by: { readonly id: string } | null };
type SignedIn = { readonly key: NamedKey; readonly memberId: string | undefined };

/** The key that is signed in with, then the others of the same member that are in force. */
export function listOwnKeys(keys: readonly ListedKey[], { key, memberId }: SignedIn): readonly NamedKey[] {
  const others = keys.filter((one) => one.id !== key.id && one.status === 'active' && one.created_by?.id === memberId);
  return memberId === undefined ? [key] : [key, ...others];
}

/** Whom it is about, as seen by the member: ids say nothing to people. */
export function writeOwnAbout({ scope, about }: Pick<BindingLimit, 'scope' | 'about'>): string {
  if (scope === 'organization') return 'the whole organization';
  if (scope === 'group') return 'the group of this key';
  return scope === 'member' ? 'you, over all of your keys' : about;
}

/** How much of a limit is used, from 0; undefined where that is not known without a request. */
export function shareOf({ used, limit }: Pick<BindingLimit, 'used' | 'limit'>): number | undefined {
  if (used === null) return undefined;
  const [most, taken] = [Number(limit), Number(used)];
  return most === 0 ? 1 : taken / most;
}

export function listOwnLimitCsv(): readonly CsvColumn<BindingLimit>[] {
  return [
    ['name', ({ name }) => name],
    ['about', writeOwnAbout],
    ['measure', ({ measure }) => measure],
    ['window', ({ window }) => window],
    ['limit', ({ limit }) => limit],
    ['used', ({ used }) => used],
    ['held', ({ held }) => held],
    ['remaining', ({ remaining }) => remaining],
    ['frees_at', ({ frees_at: freesAt }) => freesAt],
    ['action', ({ action }) => action],
  ];
}
