import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { findError, findErrorElsewhere, hasErrors, type FieldErrors } from './check-body';
import { refusalAt, refusalElsewhere } from './refusals';

type FormOptions<Data> = {
  /** What is wrong with what was filled in, by fields of the body: of `checkBody`, and of the form's own. Undefined is no error. */
  readonly errors: FieldErrors;
  readonly send: () => Promise<Data>;
  readonly onSuccess?: (data: Data) => unknown;
  readonly onSettled?: () => unknown;
};

export type Form<Data> = {
  /** Sends the form, or shows what is wrong with it. */
  readonly submit: () => void;
  /** What stands below the input of these fields: what is wrong, or what the gateway refused. */
  readonly errorAt: (...fields: readonly string[]) => string | undefined;
  /** The same for all but these: what has no input of its own must be seen as well. */
  readonly errorElsewhere: (...fields: readonly string[]) => string | undefined;
  readonly isBusy: boolean;
  /** What the gateway replied. */
  readonly data: Data | undefined;
};

/** A form that is checked before it is sent. Errors are shown from the first try on, and go as they are put right. */
export function useForm<Data>({ errors, send, onSuccess, onSettled }: FormOptions<Data>): Form<Data> {
  const [isTried, setTried] = useState(false);
  const request = useMutation({
    mutationFn: send,
    ...(onSuccess === undefined ? {} : { onSuccess: (data: Data) => onSuccess(data) }),
    ...(onSettled === undefined ? {} : { onSettled: () => onSettled() }),
  });
  const shown = isTried ? errors : {};
  return {
    submit: () => {
      setTried(true);
      if (!hasErrors(errors) && !request.isPending) request.mutate();
    },
    errorAt: (...fields) => findError(shown, fields) ?? refusalAt(request.error, ...fields),
    errorElsewhere: (...fields) => findErrorElsewhere(shown, fields) ?? refusalElsewhere(request.error, fields),
    isBusy: request.isPending,
    data: request.data,
  };
}
