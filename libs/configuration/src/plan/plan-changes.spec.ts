import fc from 'fast-check';
import { followPlan } from '../__fixtures__/follow-plan';
import { keyOf, type ConfigurationKind, type CurrentObject, type DesiredObject } from './configuration-object';
import { KINDS } from './kinds';
import { planChanges, type PlanOptions } from './plan-changes';

const kind = fc.constantFrom<ConfigurationKind>('alias', 'group', 'setting', 'key');
const name = fc.constantFrom('a', 'b', 'c');
const fieldsOf = fc.dictionary(
  fc.constantFrom('model', 'labels', 'share'),
  fc.oneof(fc.integer({ max: 3 }), fc.constant(null), fc.array(fc.integer({ max: 2 }))),
);
const owner = fc.option(fc.record({ configuration: fc.constantFrom('ours', 'theirs'), isMade: fc.boolean() }), { nil: undefined });
const unique = { selector: keyOf };
const current = fc
  .uniqueArray(fc.record({ kind, name, fields: fieldsOf, owner }), unique)
  .map((all) => all.map((one): CurrentObject => ({ ...one, id: one.name })));
const desired = fc
  .uniqueArray(fc.record({ kind, name, fields: fieldsOf }), unique)
  .map((all) => all.map((one): DesiredObject => ({ ...one, path: 'x.0' })));
const options = fc.record({
  prune: fc.boolean(),
  adopt: fc.boolean(),
  kinds: fc.subarray<ConfigurationKind>(['alias', 'group', 'setting', 'key']),
});

function optionsFor(
  { kinds, ...rest }: { kinds: ConfigurationKind[]; prune: boolean; adopt: boolean },
  wanted: readonly DesiredObject[],
): PlanOptions {
  const covered = new Set([...kinds, ...wanted.map((object) => object.kind)]);
  return { ...rest, configuration: 'ours', coverage: { kinds: covered, groupsWithMembers: new Set() } };
}

it('leads to what is wanted, and finds nothing to do the second time', () => {
  fc.assert(
    fc.property(current, desired, options, (there, wanted, given) => {
      const asked = optionsFor(given, wanted);
      const plan = planChanges(there, wanted, asked);
      fc.pre(plan.problems.length === 0);
      const after = followPlan(there, plan, 'ours');
      const found = new Map(after.map((object) => [keyOf(object), object]));
      for (const object of wanted) {
        const made = found.get(keyOf(object));
        expect(made?.owner?.configuration).toBe('ours');
        if (KINDS[object.kind].isWhole) expect(made?.fields).toEqual(object.fields);
        else expect(made?.fields).toMatchObject(object.fields);
      }
      expect(planChanges(after, wanted, asked)).toEqual({ steps: [], claims: [], problems: [] });
    }),
  );
});

it('takes away only what it made, where it was asked to, and touches nothing else that it does not list', () => {
  fc.assert(
    fc.property(current, desired, options, (there, wanted, given) => {
      const asked = optionsFor(given, wanted);
      const plan = planChanges(there, wanted, asked);
      expect(asked.adopt && plan.problems.length > 0).toBe(false);
      fc.pre(plan.problems.length === 0);
      const after = new Map(followPlan(there, plan, 'ours').map((object) => [keyOf(object), object]));
      const listed = new Set(wanted.map(keyOf));
      for (const object of there.filter((one) => !listed.has(keyOf(one)))) {
        const isOurs = object.owner?.configuration === 'ours' && asked.coverage.kinds.has(object.kind);
        const goes = [asked.prune, isOurs, object.owner?.isMade, KINDS[object.kind].isRemovable].every((each) => each === true);
        expect(after.has(keyOf(object))).toBe(!goes);
        if (!isOurs) expect(after.get(keyOf(object))).toEqual(object);
      }
    }),
  );
});

describe('the order of steps', () => {
  const coverage = {
    kinds: new Set<ConfigurationKind>(['policy', 'alias', 'group', 'key', 'limit', 'alert']),
    groupsWithMembers: new Set<string>(),
  };
  const asked: PlanOptions = { configuration: 'ours', coverage, prune: true, adopt: false };
  const mine = { configuration: 'ours', isMade: true };
  const there = (object: Pick<CurrentObject, 'kind' | 'name'> & { fields?: CurrentObject['fields'] }): CurrentObject => ({
    fields: {},
    ...object,
    id: object.name,
    owner: mine,
  });
  const order = (current: CurrentObject[], wanted: DesiredObject[]): string[] =>
    planChanges(current, wanted, asked).steps.map((step) => `${step.action} ${step.kind} ${step.name}`);

  it('makes what others refer to first, policies too', () => {
    const want = (kind: ConfigurationKind, name: string, fields = {}): DesiredObject => ({ kind, name, path: 'x.0', fields });
    const wanted = [
      want('limit', 'l'),
      want('key', 'k'),
      want('group', 'g'),
      want('alias', 'a'),
      want('policy', 'outer', { models: [{ model: 'policy/inner' }] }),
      want('policy', 'inner'),
    ];
    expect(order([], wanted)).toEqual([
      'create policy inner',
      'create policy outer',
      'create alias a',
      'create group g',
      'create key k',
      'create limit l',
    ]);
  });

  it('takes away what refers to others first', () => {
    const held = [
      there({ kind: 'policy', name: 'inner' }),
      there({ kind: 'policy', name: 'outer', fields: { models: [{ model: 'policy/inner' }] } }),
    ];
    const all = [
      ...held,
      there({ kind: 'alias', name: 'a' }),
      there({ kind: 'group', name: 'g' }),
      there({ kind: 'key', name: 'k' }),
      there({ kind: 'limit', name: 'l' }),
      there({ kind: 'alert', name: 'w' }),
    ];
    expect(order(all, [])).toEqual([
      'delete alert w',
      'delete limit l',
      'delete key k',
      'delete group g',
      'delete alias a',
      'delete policy outer',
      'delete policy inner',
    ]);
  });
});
