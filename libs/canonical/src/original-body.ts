import { indexMembers, type MemberSpan } from './index-members';

/**
 * The caller's JSON object as it came, with the place of each top-level member, so that the express lane changes
 * exactly what it must and every other byte stays the caller's: unknown fields, number spellings, key order.
 */
export type OriginalBody = {
  readonly text: string;
  readonly members: readonly MemberSpan[];
};

type BodyEdit = { readonly set: ReadonlyMap<string, string>; readonly remove: ReadonlySet<string> };

/** Reads where the top-level members of a valid JSON object stand. Returns undefined when `text` is no object. */
export function createOriginalBody(text: string): OriginalBody | undefined {
  const members = indexMembers(text);
  return members === undefined ? undefined : { text, members };
}

/** The raw JSON text of a top-level member; the last one wins, as in JSON.parse. */
export function readMember(body: OriginalBody, name: string): string | undefined {
  for (let index = body.members.length - 1; index >= 0; index -= 1) {
    const member = body.members[index];
    if (member?.name === name) return body.text.slice(member.valueStart, member.valueEnd);
  }
  return undefined;
}

/**
 * Writes the body with some top-level members set (values are JSON text; a member that is not there is appended) and
 * some removed. Everything else is copied byte for byte.
 */
export function editBody(body: OriginalBody, edit: BodyEdit): string {
  const pending = new Map(edit.set);
  const kept: string[] = [];
  for (const member of body.members) {
    if (edit.remove.has(member.name)) continue;
    const replacement = edit.set.get(member.name);
    if (replacement === undefined) {
      kept.push(body.text.slice(member.start, member.valueEnd));
    } else if (pending.delete(member.name)) {
      kept.push(`${JSON.stringify(member.name)}:${replacement}`);
    }
  }
  for (const [name, value] of pending) kept.push(`${JSON.stringify(name)}:${value}`);
  return `{${kept.join(',')}}`;
}
