import {
  createApiKeyBody,
  createGroupBody,
  setAccessListBody,
  setExpiryBody,
  setGroupBody,
  setLabelsBody,
  setLimitBody,
  setPriorityBody,
} from '@weir/contracts';
import { checkBody, mergeErrors, nestErrors, type FieldErrors } from '../../api/check-body';
import type { Schemas } from '../../api/client';
import { amountError, amountOf, writeAmount } from '../administration/amounts';
import { findExpiryError, NO_EXPIRY, readExpiry, toExpiryChoice, type ExpiryChoice } from '../administration/expiry';
import { findLabelError, isSameLabels, readLabelRows, toLabelRows, type LabelRow } from '../administration/labels';
import type { Key } from '../administration/lists';

/** What the choice of a group is while a new one is to be made. */
export const NEW_GROUP = 'new';

export type Level = 'none' | 'read' | 'write';

/** The fields of the dialogs that make and change a key, as typed. */
export type KeyForm = {
  readonly name: string;
  readonly group: string;
  readonly groupName: string;
  readonly groupBudget: string;
  readonly member: string;
  readonly limit: string;
  readonly expiry: ExpiryChoice;
  readonly labels: readonly LabelRow[];
  readonly accessList: string;
  readonly completions: Level;
  readonly manage: Level;
  readonly contents: 'none' | 'read';
  readonly priority: Key['priority'];
  readonly share: string;
};

export const EMPTY_KEY_FORM: KeyForm = {
  name: '',
  group: '',
  groupName: '',
  groupBudget: '',
  member: '',
  limit: '',
  expiry: NO_EXPIRY,
  labels: [],
  accessList: '',
  completions: 'write',
  manage: 'none',
  contents: 'none',
  priority: 'normal',
  share: '1',
};

export function toKeyForm(key: Key): KeyForm {
  return {
    ...EMPTY_KEY_FORM,
    name: key.name,
    group: key.group?.id ?? '',
    member: key.created_by?.id ?? '',
    limit: writeAmount(key.monthly_limit),
    expiry: toExpiryChoice(key.expires_at),
    labels: toLabelRows(key.labels),
    accessList: key.access_list_id ?? '',
    priority: key.priority,
    share: String(key.share),
  };
}

/** What is wrong with a new key, and with the group that is made with it (`new.name`). */
export function findKeyErrors(form: KeyForm, nowMs: number): FieldErrors {
  const errors = checkBody(createApiKeyBody, toCreateKey(form, null, nowMs), {
    ...findTypedErrors(form),
    expires_at: findExpiryError(form.expiry, nowMs),
  });
  if (form.group !== NEW_GROUP) return errors;
  const typed = { monthly_limit: amountError(form.groupBudget) };
  return mergeErrors(errors, nestErrors(NEW_GROUP, checkBody(createGroupBody, toCreateGroup(form), typed)));
}

/** What is wrong with the changes of a key; what stays as it is may be what it is. */
export function findChangeErrors(changes: readonly KeyChange[], form: KeyForm, nowMs: number): FieldErrors {
  const isExpiryNew = changes.some(({ what }) => what === 'expiry');
  const expiry = isExpiryNew ? { expires_at: findExpiryError(form.expiry, nowMs) } : {};
  return mergeErrors(findTypedErrors(form), expiry, ...changes.map(({ what, ...body }) => checkBody(CHANGE_BODIES[what], body)));
}

/** What no body can say: texts that are no amount, rows of labels that are not one label each. */
function findTypedErrors(form: KeyForm): FieldErrors {
  const isShare = /^\d{1,3}$/.test(form.share.trim());
  return {
    monthly_limit: amountError(form.limit),
    labels: findLabelError(form.labels),
    share: isShare ? undefined : 'Write a whole number from 1 to 100.',
  };
}

export function toCreateGroup({ groupName, groupBudget }: KeyForm): Schemas['CreateGroup'] {
  return { name: groupName.trim(), monthly_limit: amountOf(groupBudget) };
}

/** The body that makes the key; what was left as it is is left out. */
export function toCreateKey(form: KeyForm, groupId: string | null, nowMs: number): Schemas['CreateApiKey'] {
  const labels = readLabelRows(form.labels);
  const expiresAt = readExpiry(form.expiry, nowMs);
  const limit = amountOf(form.limit);
  return {
    name: form.name.trim(),
    permissions: {
      manage: form.manage,
      completions: form.completions,
      ...(form.contents === 'none' ? {} : { contents: form.contents }),
    },
    ...(groupId === null ? {} : { group_id: groupId }),
    ...(form.member === '' ? {} : { member_id: form.member }),
    ...(limit === null ? {} : { monthly_limit: limit }),
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(form.accessList === '' ? {} : { access_list_id: form.accessList }),
  };
}

export type KeyChange =
  | { readonly what: 'labels'; readonly labels: Record<string, string> }
  | { readonly what: 'limit'; readonly monthly_limit: number | null }
  | { readonly what: 'expiry'; readonly expires_at: string | null }
  | { readonly what: 'group'; readonly group_id: string | null }
  | { readonly what: 'access-list'; readonly access_list_id: string | null }
  | { readonly what: 'priority'; readonly priority: Key['priority']; readonly share: number };

const CHANGE_BODIES = {
  labels: setLabelsBody,
  limit: setLimitBody,
  expiry: setExpiryBody,
  group: setGroupBody,
  'access-list': setAccessListBody,
  priority: setPriorityBody,
} as const;

/** One change for each thing that the form says otherwise than the key. What narrows the key comes before what widens it. */
export function planKeyChanges(key: Key, form: KeyForm, nowMs: number): KeyChange[] {
  const was = toKeyForm(key);
  const labels = readLabelRows(form.labels);
  const limit = amountOf(form.limit);
  const changes: KeyChange[] = [];
  if (form.accessList !== was.accessList) changes.push({ what: 'access-list', access_list_id: orNull(form.accessList) });
  if (limit !== amountOf(was.limit)) changes.push({ what: 'limit', monthly_limit: limit });
  if (form.group !== was.group) changes.push({ what: 'group', group_id: orNull(form.group) });
  if (form.expiry.choice !== was.expiry.choice || form.expiry.date !== was.expiry.date)
    changes.push({ what: 'expiry', expires_at: readExpiry(form.expiry, nowMs) });
  if (form.priority !== was.priority || form.share !== was.share)
    changes.push({ what: 'priority', priority: form.priority, share: Number(form.share) });
  if (!isSameLabels(labels, key.labels)) changes.push({ what: 'labels', labels });
  return changes;
}

function orNull(id: string): string | null {
  return id === '' ? null : id;
}
