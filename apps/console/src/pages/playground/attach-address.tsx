import { useRef, useState } from 'react';
import { Button, Popover, TextField } from '../../design';
import { attachAddress } from './attach-files';
import type { Attachment } from './draft';

/** A image by its address. */
export function AttachAddress({ onAttach }: { readonly onAttach: (attachment: Attachment) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [address, setAddress] = useState('');
  const [error, setError] = useState<string>();
  const count = useRef(0);
  const add = (): void => {
    count.current += 1;
    const attached = attachAddress(address, `address-${Date.now()}-${count.current}`);
    if ('error' in attached) return setError(attached.error);
    onAttach(attached.attachment);
    setOpen(false);
    setAddress('');
    setError(undefined);
  };
  return (
    <Popover label="Image by its address" isOpen={isOpen} onOpenChange={setOpen} trigger={<Button>Image by address</Button>}>
      {/* No form: this one stands in the form of the prompt. */}
      <div className="stack">
        <TextField
          label="Address"
          placeholder="https://"
          value={address}
          error={error}
          onChange={(event) => setAddress(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button kind="primary" onClick={add}>
          Attach
        </Button>
      </div>
    </Popover>
  );
}
