import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, explain, unwrap, type Schemas } from '../../api';
import { Button, Dialog, Notice } from '../../design';
import type { Alert } from './alert-form';

type Props = { readonly alert: Alert; readonly name: string; readonly onClose: () => void };

/** Sends a notice that says that nothing happened, and shows what became of it. */
export function TestAlertDialog({ alert, name, onClose }: Props) {
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: async () => (await unwrap(api.POST('/v1/manage/alert/{id}/test', { params: { path: { id: alert.id } } }))).delivery,
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts', alert.id] }),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Test the alert"
      about={`${name}: a notice that says it is a test.`}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
        </>
      }
    >
      <p className="money-sentence">
        It goes to <span className="mono">{alert.target}</span>, once, the way that notices go.
      </p>
      <div aria-live="polite">
        {test.error !== null && <Notice kind="bad">{explain(test.error)}</Notice>}
        {test.data !== undefined && <Outcome delivery={test.data} />}
      </div>
    </Dialog>
  );
}

function Outcome({ delivery: { status, last_result: result } }: { readonly delivery: Schemas['AlertDelivery'] }) {
  if (status === 'delivered') return <Notice>It was taken: {result}</Notice>;
  if (status === 'dead') return <Notice kind="bad">It was not taken: {result}</Notice>;
  return <Notice kind="warn">Nothing sent it yet. Look at what the alert has reported in a while.</Notice>;
}
