import { setBudgetBody, setUserBudgetBody, updateGroupBody } from '@weir/contracts';
import { checkBody, mergeErrors, type FieldErrors } from '../../api/check-body';
import { amountError, amountOf, writeAmount } from '../administration/amounts';
import type { BudgetMode, GroupDetail } from '../administration/lists';
import { modeOf } from './budgets';

/** Name and money of a group, as typed. */
export type GroupForm = { readonly mode: BudgetMode; readonly name: string; readonly total: string; readonly perUser: string };

/** One body for each endpoint that has something to change. */
export type GroupChanges = {
  readonly settings?: { name?: string; monthly_limit?: number | null };
  readonly budget?: { monthly_budget: number | null };
  readonly perUser?: { monthly_budget_per_user: number | null };
};

export function toGroupForm(group: GroupDetail): GroupForm {
  return {
    mode: modeOf(group),
    name: group.name,
    total: writeAmount(group.monthly_budget ?? group.monthly_limit),
    perUser: writeAmount(group.monthly_budget_per_user),
  };
}

export function planGroupChanges(was: GroupForm, form: GroupForm): GroupChanges {
  const isBudget = form.mode === 'group';
  const total = amountOf(form.total);
  const isTotalNew = total !== amountOf(was.total);
  const settings = {
    ...(form.name.trim() === was.name ? {} : { name: form.name.trim() }),
    ...(!isBudget && isTotalNew ? { monthly_limit: total } : {}),
  };
  return {
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(isBudget && isTotalNew ? { budget: { monthly_budget: total } } : {}),
    ...(isBudget && form.perUser !== was.perUser ? { perUser: { monthly_budget_per_user: amountOf(form.perUser) } } : {}),
  };
}

export function findGroupErrors(was: GroupForm, form: GroupForm): FieldErrors {
  const { settings, budget, perUser } = planGroupChanges(was, form);
  return mergeErrors(
    { monthly_limit: amountError(form.total), monthly_budget_per_user: amountError(form.perUser) },
    settings === undefined ? {} : checkBody(updateGroupBody, settings),
    budget === undefined ? {} : checkBody(setBudgetBody, budget),
    perUser === undefined ? {} : checkBody(setUserBudgetBody, perUser),
  );
}
