import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { explain } from '../../api';
import { ConfirmDialog, showToast } from '../../design';

type DeleteDialogProps = {
  /** "access list": what it is called. */
  readonly kind: string;
  readonly name: string;
  /** Of the queries that have it. */
  readonly queryKey: string;
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
  /** What happens then. */
  readonly children: ReactNode;
};

export function DeleteDialog({ kind, name, queryKey, remove, onClose, children }: DeleteDialogProps) {
  const client = useQueryClient();
  const request = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      showToast({ text: `The ${kind} “${name}” was deleted.` });
      onClose();
      void client.invalidateQueries({ queryKey: [queryKey] });
      void client.invalidateQueries({ queryKey: ['models'] });
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete “${name}”?`}
      action={`Delete the ${kind}`}
      isBusy={request.isPending}
      error={request.error === null ? undefined : explain(request.error)}
      onConfirm={() => request.mutate()}
    >
      {children}
    </ConfirmDialog>
  );
}
