import { createOriginalBody, editBody, visitTools, type OriginalBody } from '@weir/canonical';
import { GatewayError, invariant } from '@weir/errors';
import { z } from 'zod';
import data from './choosing-members.json';
import { choosingMember, memberKnobs, type ChoosingMember, type MemberKnobs } from './member-rules.schema';

/** The bodies that go on to providers in the caller's own words. */
export type RuledDialect = 'chat-completions' | 'responses' | 'messages' | 'embeddings';

/** What becomes of the members of a request that goes on in the caller's own words to one provider. */
export type MemberRules = {
  readonly plain: ReadonlySet<string>;
  readonly choosing: ReadonlyMap<string, ChoosingMember>;
  /** Members of members that choose, by the outer one. */
  readonly inner: ReadonlyMap<string, readonly (readonly [name: string, member: ChoosingMember])[]>;
  readonly passesUnknown: boolean;
  /** How the types of tools begin that are sent; null: any. */
  readonly tools: readonly string[] | null;
};

type Json = Readonly<Record<string, unknown>>;

const named = z.record(z.string(), choosingMember);
const ofDialect = z.strictObject({ plain: z.array(z.string()), choosing: named });
const DIALECTS = z
  .strictObject({ 'chat-completions': ofDialect, responses: ofDialect, messages: ofDialect, embeddings: ofDialect, every: named })
  .parse(data);

/** Every member that is known to choose, of every dialect: for those that are refused, wherever they are sent. */
export function listChoosing(dialect: RuledDialect): ReadonlyMap<string, ChoosingMember> {
  return new Map([...Object.entries(DIALECTS.every), ...Object.entries(DIALECTS[dialect].choosing)]);
}

/** Searches are translated, or refused, where they are encoded. */
const COMMON_TOOLS = ['web_search'];

export function planMemberRules(dialect: RuledDialect, given: z.input<typeof memberKnobs> = {}): MemberRules {
  const knobs: MemberKnobs = memberKnobs.parse(given);
  const own = Object.entries(knobs.choosing);
  const inner = new Map<string, (readonly [string, ChoosingMember])[]>();
  for (const [path, member] of own.filter(([name]) => name.includes('.'))) {
    const [outer = '', name = ''] = path.split('.');
    inner.set(outer, [...(inner.get(outer) ?? []), [name, member]]);
  }
  const choosing = new Map([...listChoosing(dialect), ...own.filter(([name]) => !name.includes('.'))]);
  const plain = new Set([...DIALECTS[dialect].plain, ...knobs.plain]);
  for (const name of knobs.plain) choosing.delete(name);
  const passesUnknown = knobs.unknown === 'passed';
  return { plain, choosing, inner, passesUnknown, tools: passesUnknown ? null : [...COMMON_TOOLS, ...knobs.tools] };
}

const NOTHING: readonly string[] = [];

/**
 * Rules on the members of a request: returns the names of those that have to be left out. Throws `unsupported_field` for one that would
 * choose what its caller has not asked for by the model's name, which alone access lists, plans and holds know.
 */
export function ruleMembers(json: Json, rules: MemberRules): readonly string[] {
  let dropped = NOTHING;
  const { plain, choosing, inner, passesUnknown } = rules;
  for (const name in json) {
    if (inner.size > 0) checkInner(name, json[name], inner.get(name));
    if (plain.has(name)) continue;
    const member = choosing.get(name);
    const isLeftOut = member === undefined ? !passesUnknown && !asksNothing(json[name]) : mustLeaveOut(name, json[name], member);
    if (isLeftOut) dropped = [...dropped, name];
  }
  checkTools(json, rules.tools);
  return dropped;
}

/** Refuses tools that would have another model serve a part of the request, in every lane, and those of types that do not begin as one of `types`. */
export function checkTools(json: Json, types: readonly string[] | null): void {
  visitTools(json, (tool, list, index) => {
    const { type } = tool;
    if (typeof type !== 'string' || type === 'function' || type === 'custom') return;
    if (!asksNothing(tool['model'])) throw refuse(`${list}[${index}].model`, 'model');
    if (types?.some((beginning) => type.startsWith(beginning)) === false) throw refuse(`${list}[${index}].type`, 'tool');
  });
}

/** Refuses further members of a request about media, which go on as they are, that would choose something. Forms write lists as `name[]`. */
export function refuseChoosing(members: Iterable<readonly [name: string, value: unknown]>, { choosing }: MemberRules): void {
  for (const [written, value] of members) {
    const name = written.replace(/\[.*$/, '');
    const member = choosing.get(name);
    if (member !== undefined && !asksNothing(value) && !member.unless.includes(value as string)) throw refuse(name, member.chooses);
  }
}

/** A body without these members, for what is sent on. */
export function leaveOutMembers(body: OriginalBody, names: readonly string[]): OriginalBody {
  if (names.length === 0) return body;
  const text = editBody(body, { set: NOTHING_SET, remove: new Set(names) });
  const left = createOriginalBody(text);
  invariant(left !== undefined, 'a body without some of its members is a JSON object');
  return left;
}

const NOTHING_SET: ReadonlyMap<string, string> = new Map();

function mustLeaveOut(name: string, value: unknown, { chooses, use, unless }: ChoosingMember): boolean {
  if (use === 'priced' || asksNothing(value) || unless.includes(value as string)) return false;
  if (use === 'refused') throw refuse(name, chooses);
  return true;
}

function checkInner(outer: string, holder: unknown, members: readonly (readonly [string, ChoosingMember])[] | undefined): void {
  if (members === undefined || typeof holder !== 'object' || holder === null) return;
  for (const [name, { chooses, unless }] of members) {
    const value = (holder as Json)[name];
    if (!asksNothing(value) && !unless.includes(value as string)) throw refuse(`${outer}.${name}`, chooses);
  }
}

/** Switched off, or empty. */
function asksNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const REASONS: Readonly<Record<ChoosingMember['chooses'], string>> = {
  model: 'it would let another model reply than the one in `model`. To try several models, name a policy in `model`',
  provider: 'the provider follows from `model`. To try several places, name a policy in `model`',
  tier: 'what that costs is not in the price list',
  tool: 'it would have the provider run a tool whose cost is not in the price list',
  region: 'the region follows from `model`',
  time: 'the reply would come later, and no one could fetch it',
};

function refuse(field: string, chooses: ChoosingMember['chooses']): GatewayError {
  const message = `${field} cannot be sent to this model: ${REASONS[chooses]}, or leave ${field} out.`;
  return new GatewayError('unsupported_field', message, { field });
}
