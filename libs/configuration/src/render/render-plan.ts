import type { FieldChange, Step } from '../plan/step';
import { KINDS } from '../plan/kinds';

type ShownStep = Pick<Step, 'action' | 'kind' | 'name' | 'changes'>;

const SIGNS = { create: '+', update: '~', delete: '-', adopt: '>' } as const;
const COLOURS = { create: '32', update: '33', delete: '31', adopt: '36' } as const;
const LINE_MAX = 200;

/** What steps do, for people. */
export function renderPlan(steps: readonly ShownStep[], { isColoured }: { readonly isColoured: boolean }): string {
  if (steps.length === 0) return 'no changes\n';
  const paint = (text: string, action: Step['action']): string => (isColoured ? `\u001b[${COLOURS[action]}m${text}\u001b[0m` : text);
  const lines = steps.flatMap(({ action, kind, name, changes }) => [
    paint(`${SIGNS[action]} ${KINDS[kind].word} ${show(name)}${action === 'adopt' ? ' (taken over as it is)' : ''}`, action),
    ...changes.filter(({ field }) => field !== 'name' || action === 'update').flatMap((change) => renderChange(change, action)),
  ]);
  return [...lines, '', summarize(steps), ''].join('\n');
}

/** `2 to create, 1 to update`. */
export function summarize(steps: readonly Pick<Step, 'action'>[]): string {
  const count = (action: Step['action']): number => steps.filter((step) => step.action === action).length;
  const counts = (Object.keys(SIGNS) as Step['action'][]).flatMap((action) => (count(action) > 0 ? [`${count(action)} to ${action}`] : []));
  return counts.length === 0 ? 'no changes' : counts.join(', ');
}

function renderChange({ field, before, after }: FieldChange, action: Step['action']): string[] {
  const label = `    ${field}: `;
  if (action === 'create') return [label + show(after)];
  if (isTexts(before) && isTexts(after)) {
    const [gone, come] = [before.filter((text) => !after.includes(text)), after.filter((text) => !before.includes(text))];
    if (gone.length + come.length > 0)
      return [label + [...gone.map((text) => `-${show(text)}`), ...come.map((text) => `+${show(text)}`)].join(' ')];
  }
  return [`${label}${show(before)} → ${show(after)}`];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function show(value: unknown): string {
  if (value === undefined) return '(nothing)';
  const text = JSON.stringify(value);
  // Names come from elsewhere: a terminal must not take one for a command.
  const plain = text.replace(/[\u007f-\u009f]/g, '?');
  return plain.length > LINE_MAX ? `${plain.slice(0, LINE_MAX)}…` : plain;
}
