import { LIMIT_SCOPES, limitBody } from '@weir/contracts';
import { checkBody, mergeErrors, type FieldErrors } from '../../api/check-body';
import type { Schemas } from '../../api/client';
import { isConcurrent } from './limit-words';
import type { Action, Limit, Measure, Modality, Scope, Window } from './limits-queries';

export type LimitBody = Schemas['LimitBody'];

/** As it is typed. A target that is empty is none: the limit holds for each apart. */
export type LimitForm = {
  readonly name: string;
  readonly scope: Scope;
  readonly groupId: string;
  readonly memberId: string;
  readonly apiKeyId: string;
  readonly endUser: string;
  readonly label: string;
  readonly value: string;
  /** Patterns, one on a line. */
  readonly models: string;
  readonly providers: string;
  readonly modalities: readonly Modality[];
  readonly measure: Measure;
  readonly window: Window;
  readonly amount: string;
  readonly action: Action;
  readonly fallbackModel: string;
};

export const EMPTY_LIMIT: LimitForm = {
  ...{ name: '', scope: 'key', groupId: '', memberId: '', apiKeyId: '', endUser: '', label: '', value: '' },
  ...{ models: '', providers: '', modalities: [], measure: 'usd', window: 'day', amount: '', action: 'refuse', fallbackModel: '' },
};

export function fillLimit(limit: Limit): LimitForm {
  return {
    ...{ name: limit.name, scope: limit.scope, groupId: limit.group_id ?? '', memberId: limit.member_id ?? '' },
    ...{ apiKeyId: limit.api_key_id ?? '', endUser: limit.end_user ?? '', label: limit.label ?? '', value: limit.value ?? '' },
    ...{ models: (limit.models ?? []).join('\n'), providers: (limit.providers ?? []).join('\n'), modalities: limit.modalities ?? [] },
    ...{ measure: limit.measure, window: limit.window ?? 'day', amount: limit.amount, action: limit.action },
    fallbackModel: limit.fallback_model ?? '',
  };
}

export function toLimitBody(form: LimitForm): LimitBody {
  return {
    ...{ name: form.name.trim(), scope: form.scope, ...toTargets(form) },
    ...listed('models', form.models),
    ...listed('providers', form.providers),
    ...(form.modalities.length === 0 ? {} : { modalities: [...form.modalities] }),
    measure: form.measure,
    ...(isConcurrent(form.measure) ? {} : { window: form.window }),
    ...{ amount: plainAmount(form.amount), action: form.action },
    ...(form.action === 'fallback' && form.fallbackModel.trim() !== '' ? { fallback_model: form.fallbackModel.trim() } : {}),
  };
}

/** Of what was typed into the fields of all scopes, that of the one chosen. */
function toTargets(form: LimitForm): Partial<LimitBody> {
  const all = {
    ...{ group_id: form.groupId, member_id: form.memberId, api_key_id: form.apiKeyId, end_user: form.endUser },
    ...{ label: form.label.trim(), value: form.value.trim() },
  };
  const targets: readonly string[] = LIMIT_SCOPES.find(({ name }) => name === form.scope)?.targets ?? [];
  return Object.fromEntries(Object.entries(all).filter(([field, text]) => text !== '' && targets.includes(field)));
}

function listed(field: 'models' | 'providers', text: string): Partial<LimitBody> {
  const patterns = [...new Set(text.split(/[\n,]/).map((line) => line.trim()))].filter((line) => line !== '');
  return patterns.length === 0 ? {} : { [field]: patterns };
}

const AMOUNT = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,12})?$/;

/** `$1,000.50` as `1000.50`; what is no amount stays as it is, and is refused. */
function plainAmount(text: string): string {
  const [, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? [];
  return whole === undefined ? text.trim() : `${whole.replaceAll(',', '')}${fraction}`;
}

export function findLimitErrors(form: LimitForm): FieldErrors {
  const isAmount = AMOUNT.test(form.amount.trim());
  const example = form.measure === 'usd' ? 'an amount of USD, such as 5 or 12.50' : 'a number, such as 1,000';
  return mergeErrors(isAmount ? {} : { amount: `Write ${example}.` }, checkBody(limitBody, toLimitBody(form)));
}

/** Whether saving lets it count from nothing: the gateway keeps what was counted by these. */
export function beginsAnew(limit: Limit, form: LimitForm): boolean {
  const { measure, window } = toLimitBody(form);
  return measure !== limit.measure || window !== limit.window;
}
