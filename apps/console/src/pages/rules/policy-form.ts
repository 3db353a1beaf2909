import { createPolicyBody } from '@weir/contracts';
import { checkBody, type FieldErrors } from '../../api/check-body';
import type { Schemas } from '../../api/client';
import type { Policy } from './rules-queries';

export type Strategy = Policy['strategy'];

/** One member as it is typed; `id` is the row's own. */
export type PolicyRow = { readonly id: number; readonly model: string; readonly weight: string; readonly retries: string };

export type PolicyForm = {
  readonly name: string;
  readonly strategy: Strategy;
  readonly stickyBy: '' | 'trace_id' | 'user_id';
  /** Milliseconds as they are typed; empty: as the account, or the gateway, says. */
  readonly firstContentMs: string;
  readonly idleMs: string;
  readonly rows: readonly PolicyRow[];
};

export const EMPTY_POLICY: PolicyForm = {
  ...{ name: '', strategy: 'fallback', stickyBy: '', firstContentMs: '', idleMs: '' },
  rows: [makeRow(0), makeRow(1)],
};

export const STRATEGIES: readonly { readonly value: Strategy; readonly label: string; readonly about: string }[] = [
  { value: 'fallback', label: 'In this order', about: 'The first one serves; each of the others only when those before it fail.' },
  { value: 'weighted', label: 'By weight', about: 'Each request goes first to one of them, by chance, as often as its weight says.' },
  { value: 'latency', label: 'The fastest first', about: 'By the time until the first byte, as this gateway has measured it.' },
  { value: 'price', label: 'The cheapest first', about: 'By the most that the request may cost there.' },
];

function makeRow(id: number): PolicyRow {
  return { id, model: '', weight: '1', retries: '0' };
}

export function fillPolicy(policy: Policy): PolicyForm {
  const { name, strategy, sticky_by: stickyBy, first_content_ms: firstContent, idle_ms: idle, models } = policy;
  const rows = models.map(({ model, weight, retries }, id) => ({ id, model, weight: String(weight), retries: String(retries) }));
  return { name, strategy, stickyBy: stickyBy ?? '', firstContentMs: String(firstContent ?? ''), idleMs: String(idle ?? ''), rows };
}

export function addRow(rows: readonly PolicyRow[]): PolicyRow[] {
  return [...rows, makeRow(1 + Math.max(-1, ...rows.map(({ id }) => id)))];
}

export function moveRow(rows: readonly PolicyRow[], index: number, by: -1 | 1): PolicyRow[] {
  const moved = [...rows];
  const [row] = moved.splice(index, 1);
  if (row !== undefined) moved.splice(Math.max(0, index + by), 0, row);
  return moved;
}

export function toPolicyBody({ name, strategy, stickyBy, firstContentMs, idleMs, rows }: PolicyForm): Schemas['CreatePolicy'] {
  return {
    name: name.trim(),
    strategy,
    models: rows.map(({ model, weight, retries }) => ({
      model: model.trim(),
      weight: strategy === 'weighted' ? Number(weight) : 1,
      retries: Number(retries),
    })),
    ...(stickyBy === '' ? {} : { sticky_by: stickyBy }),
    ...(firstContentMs.trim() === '' ? {} : { first_content_ms: Number(firstContentMs) }),
    ...(idleMs.trim() === '' ? {} : { idle_ms: Number(idleMs) }),
  };
}

export function findPolicyErrors(form: PolicyForm): FieldErrors {
  const typed = form.rows.flatMap(({ weight, retries }, index) => [
    ...(form.strategy === 'weighted' && weight.trim() === '' ? [[`models.${index}.weight`, 'Write a weight.'] as const] : []),
    ...(retries.trim() === '' ? [[`models.${index}.retries`, 'Write a number.'] as const] : []),
  ]);
  const chosen = form.rows.flatMap(({ model }, index) =>
    model.trim() === '' ? [[`models.${index}.model`, 'Choose a model or a policy.'] as const] : [],
  );
  return checkBody(createPolicyBody, toPolicyBody(form), Object.fromEntries([...chosen, ...typed]));
}
