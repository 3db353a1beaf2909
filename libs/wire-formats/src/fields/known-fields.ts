import { REQUEST_FIELDS } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';

/** The members that a dialect's decoder has a word for: at the top of the body, and inside of its objects. */
export type KnownFields = {
  readonly top: ReadonlySet<string>;
  readonly inside: Readonly<Record<string, ReadonlySet<string>>>;
};

/** What a decoder reads beside the paths in `REQUEST_FIELDS`. */
type Further = { readonly top: readonly string[]; readonly inside: Readonly<Record<string, readonly string[]>> };

export function listKnownFields(dialect: ChatDialect, further: Further): KnownFields {
  const paths = Object.values(REQUEST_FIELDS).flatMap((row) => row.paths[dialect] ?? []);
  const whole = new Set(paths.filter((path) => !path.includes('.')));
  const top = new Set([...whole, ...further.top]);
  const inside: Record<string, Set<string>> = {};
  for (const path of paths) {
    const [holder = '', member] = path.split('.');
    // An object that is a field itself has a reader of its own, which knows all of its members.
    if (member === undefined || whole.has(holder)) continue;
    top.add(holder);
    (inside[holder] ??= new Set()).add(member);
  }
  for (const [holder, members] of Object.entries(further.inside)) {
    inside[holder] = new Set([...(inside[holder] ?? []), ...members]);
  }
  return { top, inside };
}
