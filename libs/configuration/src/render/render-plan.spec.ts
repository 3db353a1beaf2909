import type { Step } from '../plan/step';
import { renderPlan } from './render-plan';

const steps: readonly Step[] = [
  {
    action: 'create',
    kind: 'group',
    name: 'research',
    fields: {},
    changes: [
      { field: 'name', before: undefined, after: 'research' },
      { field: 'monthly_limit', before: undefined, after: 100 },
    ],
  },
  {
    action: 'update',
    kind: 'access_list',
    name: 'cheap',
    fields: {},
    changes: [{ field: 'chat', before: ['a/b', 'c/d'], after: ['a/b', 'e/*'] }],
  },
  { action: 'update', kind: 'key', name: 'ci', fields: {}, changes: [{ field: 'group', before: 'research', after: null }] },
  { action: 'adopt', kind: 'alias', name: 'a', fields: {}, changes: [] },
  { action: 'delete', kind: 'alias', name: 'esc\u001b[31m', fields: {}, changes: [] },
];

it('shows what is made, what becomes what, and what goes', () => {
  expect(renderPlan(steps, { isColoured: false })).toBe(`+ group "research"
    monthly_limit: 100
~ access list "cheap"
    chat: -"c/d" +"e/*"
~ key "ci"
    group: "research" → null
> alias "a" (taken over as it is)
- alias "esc\\u001b[31m"

1 to create, 2 to update, 1 to delete, 1 to adopt
`);
  expect(renderPlan([], { isColoured: true })).toBe('no changes\n');
});

it('has colours where they are wanted', () => {
  expect(renderPlan(steps.slice(0, 1), { isColoured: true })).toContain('\u001b[32m+ group "research"\u001b[0m\n');
});
