import { useCallback, useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { Button, Chip, Notice, TextArea } from '../../design';
import { ACCEPTED, attachFile, BODY_BYTES_MAX, formatBytes, sumBytes } from './attach-files';
import { AttachAddress } from './attach-address';
import type { ChatState, ChatStore, Lane } from './chat-store';
import { EstimateLine } from './estimate-line';
import { buildChatBody, writePrompt } from './build-chat-body';
import { useEstimate } from './estimate';
import type { Attachment } from './draft';
import { FileButton } from './file-button';

type ComposerProps = {
  readonly store: ChatStore;
  readonly state: ChatState;
  readonly lanes: readonly Lane[];
  readonly isRunning: boolean;
  /** Why nothing can be sent now. */
  readonly hindrance: string | undefined;
};

/** Where the next prompt is written, with what it would cost. */
export function Composer({ store, state, lanes, isRunning, hindrance }: ComposerProps) {
  const { draft } = state;
  const { errors, attach } = useAttaching(store);
  const bytes = sumBytes(draft.attachments);
  const isTooLarge = bytes > BODY_BYTES_MAX;
  const isReady = hindrance === undefined && !isTooLarge && writePrompt(draft) !== undefined && !isRunning;
  const send = (): void => {
    if (isReady) store.send(lanes);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="panel panel-body stack"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        attach(event.dataTransfer.files);
      }}
    >
      <TextArea
        label="Prompt"
        hint="Enter sends, Shift and Enter begin a new line. Files can be dropped or pasted here."
        rows={3}
        value={draft.prompt}
        onChange={(event) => store.change({ prompt: event.target.value })}
        onKeyDown={keys}
        onPaste={(event: ClipboardEvent) => attach(event.clipboardData.files)}
      />
      <Attachments attachments={draft.attachments} store={store} />
      {errors.map((error) => (
        <p key={error} className="field-error" role="alert">
          {error}
        </p>
      ))}
      {isTooLarge && <Notice kind="bad">All files together are larger than what a request may have.</Notice>}
      {hindrance !== undefined && <p className="quiet">{hindrance}</p>}
      <div className="spread">
        <div className="row">
          <FileButton label="Attach files" accept={ACCEPTED} onFiles={attach} />
          <AttachAddress onAttach={(attachment) => store.change({ attachments: [...draft.attachments, attachment] })} />
        </div>
        <div className="row">
          {isRunning && <Button onClick={() => store.stop()}>Stop</Button>}
          <Button type="submit" kind="primary" disabled={!isReady}>
            Send
          </Button>
        </div>
      </div>
      <Estimates state={state} lanes={lanes} />
    </form>
  );
}

/** Reads files into the draft; what cannot be read is said, file by file. */
function useAttaching(store: ChatStore): { readonly errors: readonly string[]; readonly attach: (files: FileList) => void } {
  const [errors, setErrors] = useState<readonly string[]>([]);
  const count = useRef(0);
  const attach = (files: FileList): void => {
    if (files.length === 0) return;
    const read = [...files].map((file) => {
      count.current += 1;
      return attachFile(file, `${Date.now()}-${count.current}`);
    });
    void Promise.all(read).then((attached) => {
      const found = attached.flatMap((one) => ('attachment' in one ? [one.attachment] : []));
      setErrors(attached.flatMap((one) => ('error' in one ? [one.error] : [])));
      store.change({ attachments: [...store.read().draft.attachments, ...found] });
    });
  };
  return { errors, attach };
}

function Attachments({ attachments, store }: { readonly attachments: readonly Attachment[]; readonly store: ChatStore }) {
  if (attachments.length === 0) return null;
  const remove = (id: string): void => store.change({ attachments: attachments.filter((one) => one.id !== id) });
  return (
    <div className="row">
      {attachments.map(({ id, name, bytes }) => (
        <Chip key={id} text={bytes === 0 ? name : `${name}, ${formatBytes(bytes)}`} onRemove={() => remove(id)} />
      ))}
      <span className="quiet">
        {formatBytes(sumBytes(attachments))} of {formatBytes(BODY_BYTES_MAX)}, unless the operator has set another limit
      </span>
    </div>
  );
}

function Estimates({ state, lanes }: Pick<ComposerProps, 'state' | 'lanes'>) {
  return (
    <div className="playground-estimates" aria-label="Cost before" role="group">
      {lanes.map((lane) => (
        <LaneEstimate key={lane.index} state={state} lane={lane} isOnly={lanes.length === 1} />
      ))}
    </div>
  );
}

function LaneEstimate({ state, lane, isOnly }: { readonly state: ChatState; readonly lane: Lane; readonly isOnly: boolean }) {
  const { draft } = state;
  const rounds = state.lanes[lane.index];
  const { model, known } = lane;
  const build = useCallback(() => {
    const message = writePrompt(draft);
    if (message === undefined) return undefined;
    return buildChatBody({ model, known, draft, rounds: [...(rounds ?? []), { id: 'next', sent: [message] }] });
  }, [draft, rounds, model, known]);
  const estimated = useEstimate(build);
  return <EstimateLine estimated={estimated} {...(isOnly ? {} : { subject: model })} />;
}
