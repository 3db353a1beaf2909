import { useState } from 'react';
import { Button, CopyButton, Dialog, Icon, Select } from '../../design';
import { KEY_PLACEHOLDER } from '../models/snippets';
import type { JsonRecord } from './json';
import { CODE_WAYS, writeCode, type CodeWay } from './write-code';

export type CodeRequest = { readonly model: string; readonly path: string; readonly body: JsonRecord };

/** Requests as they can be sent from elsewhere. */
function CodeDialog({ requests, onClose }: { readonly requests: readonly CodeRequest[]; readonly onClose: () => void }) {
  const [way, setWay] = useState<CodeWay>('curl');
  const [model, setModel] = useState(requests[0]?.model ?? '');
  const request = requests.find((one) => one.model === model) ?? requests[0];
  if (request === undefined) return null;
  const text = writeCode(way, { ...request, origin: window.location.origin });
  return (
    <Dialog isOpen isWide onClose={onClose} title="As code" about={<>Put a key in the place of {KEY_PLACEHOLDER}.</>}>
      <div className="spread">
        <div className="row playground-code-choices">
          <Select
            label="Send it by"
            value={way}
            options={CODE_WAYS.map(({ way: value, label }) => ({ value, label }))}
            onChange={(value) => setWay(value as CodeWay)}
          />
          {requests.length > 1 && (
            <Select
              label="To"
              value={request.model}
              options={requests.map(({ model: value }) => ({ value, label: value }))}
              onChange={setModel}
            />
          )}
        </div>
        <CopyButton text={text} label="Copy the code" />
      </div>
      <pre className="playground-snippet" tabIndex={0}>
        {text}
      </pre>
    </Dialog>
  );
}

/** Opens the dialog; the requests are made when it is opened. */
export function CodeButton({ requests, isReady = true }: { readonly requests: () => readonly CodeRequest[]; readonly isReady?: boolean }) {
  const [opened, setOpened] = useState<readonly CodeRequest[]>();
  return (
    <>
      <Button disabled={!isReady} onClick={() => setOpened(requests())}>
        <Icon name="copy" size={14} /> As code
      </Button>
      {opened !== undefined && <CodeDialog requests={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
