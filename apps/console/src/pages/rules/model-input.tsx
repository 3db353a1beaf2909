import { useId } from 'react';
import { TextField } from '../../design';

type ModelInputProps = {
  readonly label: string;
  readonly value: string;
  /** What is offered; anything else may be typed as well. */
  readonly names: readonly string[];
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly isLabelHidden?: boolean;
  readonly onChange: (value: string) => void;
};

/** A model, policy or alias: typed, with those there are offered. */
export function ModelInput({ names, onChange, hint, isLabelHidden = false, ...field }: ModelInputProps) {
  const id = useId();
  return (
    <>
      <TextField
        {...field}
        {...(hint === undefined ? {} : { hint })}
        isLabelHidden={isLabelHidden}
        list={id}
        spellCheck={false}
        placeholder="openai/gpt-4o or policy/…"
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
