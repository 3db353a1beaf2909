import { Button, Icon, IconButton, TextField } from '../../design';
import type { LabelRow } from './labels';
import './administration.css';

type LabelsFieldProps = {
  readonly rows: readonly LabelRow[];
  readonly onChange: (rows: readonly LabelRow[]) => void;
  readonly error: string | undefined;
};

/** Labels by name and value: usage can be asked for and exported by them. */
export function LabelsField({ rows, onChange, error }: LabelsFieldProps) {
  const change = (index: number, part: Partial<LabelRow>): void =>
    onChange(rows.map((row, place) => (place === index ? { ...row, ...part } : row)));
  return (
    <fieldset className="administration-fieldset">
      <legend>Labels</legend>
      {rows.map((row, index) => (
        <div key={index} className="administration-label-row">
          <TextField
            label={`Name of label ${index + 1}`}
            isLabelHidden
            placeholder="cost-center"
            value={row.name}
            onChange={(event) => change(index, { name: event.target.value })}
          />
          <TextField
            label={`Value of label ${index + 1}`}
            isLabelHidden
            placeholder="42"
            value={row.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <IconButton label={`Remove label ${index + 1}`} onClick={() => onChange(rows.filter((_, place) => place !== index))}>
            <Icon name="close" size={14} />
          </IconButton>
        </div>
      ))}
      {error !== undefined && (
        <span className="field-error" role="alert">
          {error}
        </span>
      )}
      <div>
        <Button kind="plain" onClick={() => onChange([...rows, { name: '', value: '' }])}>
          <Icon name="plus" size={14} /> Add a label
        </Button>
      </div>
    </fieldset>
  );
}
