import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes } from 'react';
import './controls.css';

type FieldProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value, in words. */
  readonly error?: string | undefined;
  readonly isLabelHidden?: boolean;
};

type Described = { readonly id: string; readonly 'aria-describedby': string | undefined; readonly 'aria-invalid': true | undefined };

function Field({ label, hint, error, isLabelHidden, children }: FieldProps & { readonly children: (described: Described) => ReactNode }) {
  const id = useId();
  const hasHint = hint !== undefined;
  const hasError = error !== undefined;
  const described = [hasHint ? `${id}-hint` : '', hasError ? `${id}-error` : ''].filter((name) => name !== '').join(' ');
  return (
    <div className="field">
      <label className={isLabelHidden === true ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described === '' ? undefined : described, 'aria-invalid': hasError ? true : undefined })}
      {hasHint && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {hasError && (
        <span className="field-error" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

/** Takes the props of an `input` besides. */
export function TextField({ label, hint, error, isLabelHidden, ...input }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...only({ label, hint, error, isLabelHidden })}>
      {(described) => <input type="text" autoComplete="off" {...input} {...described} className="input" />}
    </Field>
  );
}

export function TextArea({ label, hint, error, isLabelHidden, ...area }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field {...only({ label, hint, error, isLabelHidden })}>
      {(described) => <textarea rows={4} {...area} {...described} className="input" />}
    </Field>
  );
}

type SelectProps = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> & {
    readonly options: readonly { readonly value: string; readonly label: string }[];
    readonly onChange: (value: string) => void;
  };

export function Select({ label, hint, error, isLabelHidden, options, onChange, ...select }: SelectProps) {
  return (
    <Field {...only({ label, hint, error, isLabelHidden })}>
      {(described) => (
        <select {...select} {...described} className="input" onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type FieldParts = { label: string; hint: ReactNode; error: string | undefined; isLabelHidden: boolean | undefined };

/** Leaves out what is undefined, as the types of optional members ask for. */
function only({ label, hint, error, isLabelHidden = false }: FieldParts): FieldProps {
  return { label, isLabelHidden, error, ...(hint === undefined ? {} : { hint }) };
}
