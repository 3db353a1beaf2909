import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, explain, unwrap, useSession } from '../../api';
import { ConfirmDialog, Money, Notice, showToast, Time } from '../../design';
import type { Key } from '../administration/lists';

export function RevokeKeyDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { key: own } = useSession();
  const revoke = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/manage/apikey/{id}', { params: { path: { id: apiKey.id } } })),
    onSuccess: () => {
      showToast({ text: `“${apiKey.name}” was revoked.` });
      onClose();
      void client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke the key"
      isBusy={revoke.isPending}
      error={revoke.error === null ? undefined : explain(revoke.error)}
      onConfirm={() => revoke.mutate()}
    >
      <p>
        Requests with it (… {apiKey.last4}) fail within five seconds, for ever: a revoked key cannot be brought back. What it used stays in
        usage and in the books.
      </p>
      <p className="quiet">
        {apiKey.last_used_at === null ? (
          'It was never used.'
        ) : (
          <>
            Last used <Time at={apiKey.last_used_at} />; <Money amount={apiKey.monthly_spend} /> this month.
          </>
        )}
      </p>
      {apiKey.id === own.id && <Notice kind="warn">You are signed in with this key: you will be signed out.</Notice>}
    </ConfirmDialog>
  );
}
