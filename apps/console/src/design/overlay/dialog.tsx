import * as Radix from '@radix-ui/react-dialog';
import type { FormEvent, ReactNode } from 'react';
import { Button, IconButton } from '../controls/button';
import { Icon } from '../icons';
import { useTurn } from './foremost';
import './overlay.css';

type DialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence below the title. */
  readonly about?: ReactNode;
  readonly isWide?: boolean;
  readonly children: ReactNode;
  /** Buttons at the foot. */
  readonly actions?: ReactNode;
  /** With it the content is a form, and a button of type submit belongs into `actions`. */
  readonly onSubmit?: () => void;
};

export function Dialog({ isOpen, onClose, title, about, isWide = false, children, actions, onSubmit }: DialogProps) {
  const hasTurn = useTurn(isOpen);
  const content = (
    <>
      <div className="dialog-body">{children}</div>
      {actions !== undefined && <div className="dialog-actions">{actions}</div>}
    </>
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <Radix.Root open={hasTurn} onOpenChange={(opens) => !opens && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="veil" />
        <Radix.Content
          className={isWide ? 'dialog dialog-wide' : 'dialog'}
          {...(onSubmit === undefined ? {} : { onOpenAutoFocus: focusFirstField })}
          {...(about === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="dialog-head">
            <div>
              <Radix.Title asChild>
                <h2>{title}</h2>
              </Radix.Title>
              {about !== undefined && <Radix.Description className="quiet">{about}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close">
                <Icon name="close" />
              </IconButton>
            </Radix.Close>
          </div>
          {onSubmit === undefined ? (
            content
          ) : (
            <form className="dialog-form" onSubmit={submit}>
              {content}
            </form>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A form begins where its first value is written, and not at the button that closes it; what stands there is selected, as the Tab key does. */
function focusFirstField(event: Event): void {
  const dialog = event.currentTarget;
  const field = dialog instanceof Element ? dialog.querySelector('form :is(input, select, textarea):enabled') : null;
  if (!(field instanceof HTMLElement)) return;
  event.preventDefault();
  field.focus();
  if (field instanceof HTMLInputElement) field.select();
}

type ConfirmProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, exactly. */
  readonly children: ReactNode;
  /** The verb: "Revoke the key". */
  readonly action: string;
  readonly isBusy?: boolean;
  readonly error?: string | undefined;
  readonly onConfirm: () => void;
};

/** Asks once before something is destroyed. */
export function ConfirmDialog({ isOpen, onClose, title, children, action, isBusy = false, error, onConfirm }: ConfirmProps) {
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} actions={actions}>
      {children}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}

type FormActionsProps = {
  readonly onClose: () => void;
  /** What the form does, as its button says it. */
  readonly submit: string;
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
};

/** The buttons of a dialog that is a form. */
export function FormActions({ onClose, submit, isBusy, isDisabled = false }: FormActionsProps) {
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" kind="primary" isBusy={isBusy} disabled={isDisabled}>
        {submit}
      </Button>
    </>
  );
}
