import { useQueryClient } from '@tanstack/react-query';
import { rotateApiKeyBody } from '@weir/contracts';
import { useState } from 'react';
import { api, checkBody, unwrap, useForm, useSession } from '../../api';
import { Button, Dialog, Notice, Select, FormActions } from '../../design';
import type { Key } from '../administration/lists';
import { FormError, Secret } from '../administration/parts';

const OVERLAPS = [
  { value: '0', label: 'At once: it has leaked' },
  { value: '900', label: 'After 15 minutes' },
  { value: '3600', label: 'After an hour' },
  { value: '21600', label: 'After 6 hours' },
  { value: '86400', label: 'After a day' },
];

export function RotateKeyDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const [overlap, setOverlap] = useState('3600');
  const { key: own } = useSession();
  const client = useQueryClient();
  const body = { overlap_seconds: Number(overlap) };
  const { submit, errorAt, errorElsewhere, isBusy, data } = useForm({
    errors: checkBody(rotateApiKeyBody, body),
    send: () => unwrap(api.POST('/v1/manage/apikey/{id}/rotate', { params: { path: { id: apiKey.id } }, body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  if (data !== undefined) return <Rotated name={apiKey.name} secret={data.api_key} overlap={overlap} onClose={onClose} />;
  const actions = <FormActions onClose={onClose} submit="Make the new secret" isBusy={isBusy} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Rotate “${apiKey.name}”`}
      about="The key gets a new secret. Its limits, labels, group and spending stay."
      onSubmit={submit}
      actions={actions}
    >
      <Select
        label={`When the old secret (… ${apiKey.last4}) ends`}
        value={overlap}
        options={OVERLAPS}
        error={errorAt('overlap_seconds')}
        onChange={setOverlap}
        hint="Until then both work, so that every program can be given the new one."
      />
      {apiKey.id === own.id && (
        <Notice kind="warn">You are signed in with this key: when the old secret ends, sign in again with the new one.</Notice>
      )}
      <FormError text={errorElsewhere('overlap_seconds')} />
    </Dialog>
  );
}

type RotatedProps = { readonly name: string; readonly secret: string; readonly overlap: string; readonly onClose: () => void };

function Rotated({ name, secret, overlap, onClose }: RotatedProps) {
  const when = OVERLAPS.find(({ value }) => value === overlap);
  const text = overlap === '0' || when === undefined ? 'The old one has ended.' : `The old one ends ${when.label.toLowerCase()}.`;
  const done = (
    <Button kind="primary" onClick={onClose}>
      I have kept it
    </Button>
  );
  return (
    <Dialog isOpen onClose={onClose} title={`The new secret of “${name}”`} actions={done}>
      <Secret secret={secret} label="Copy the new secret">
        Copy it now and keep it as you keep passwords. It is shown only this once. {text}
      </Secret>
    </Dialog>
  );
}
