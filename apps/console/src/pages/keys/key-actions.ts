import { api, unwrap } from '../../api';
import type { KeyChange } from './key-form';

/** Sends one change of a key. */
export async function sendKeyChange(id: string, change: KeyChange): Promise<void> {
  const params = { path: { id } };
  switch (change.what) {
    case 'labels':
      await unwrap(api.POST('/v1/manage/apikey/{id}/label', { params, body: { labels: change.labels } }));
      return;
    case 'limit':
      await unwrap(api.POST('/v1/manage/apikey/{id}/limit', { params, body: { monthly_limit: change.monthly_limit } }));
      return;
    case 'expiry':
      await unwrap(api.POST('/v1/manage/apikey/{id}/expiry', { params, body: { expires_at: change.expires_at } }));
      return;
    case 'group':
      await unwrap(api.POST('/v1/manage/apikey/{id}/group', { params, body: { group_id: change.group_id } }));
      return;
    case 'access-list':
      await unwrap(api.POST('/v1/manage/apikey/{id}/access-list', { params, body: { access_list_id: change.access_list_id } }));
      return;
    case 'priority':
      await unwrap(api.POST('/v1/manage/apikey/{id}/priority', { params, body: { priority: change.priority, share: change.share } }));
  }
}

/** One after the other: a refusal leaves what was done before it, and says which it is about. */
export async function sendKeyChanges(id: string, changes: readonly KeyChange[]): Promise<void> {
  for (const change of changes) await sendKeyChange(id, change);
}
