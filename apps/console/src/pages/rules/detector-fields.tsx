import { Button, Icon, IconButton, Notice, TextArea, TextField } from '../../design';
import { DETECTORS, type GuardrailForm, type OwnDetector } from './guardrail-form';

type DetectorFieldsProps = {
  readonly form: GuardrailForm;
  readonly onChange: (part: Partial<GuardrailForm>) => void;
  readonly errorAt: (...fields: readonly string[]) => string | undefined;
};

/** What a guardrail looks for: what is built in, and patterns and words of one's own. */
export function DetectorFields({ form: { builtIn, own }, onChange, errorAt }: DetectorFieldsProps) {
  const toggle = (name: string): void =>
    onChange({ builtIn: builtIn.includes(name) ? builtIn.filter((one) => one !== name) : [...builtIn, name] });
  const add = (kind: OwnDetector['kind']): void =>
    onChange({ own: [...own, { id: 1 + Math.max(-1, ...own.map(({ id }) => id)), kind, name: '', text: '' }] });
  const error = errorAt('detectors');
  return (
    <fieldset className="administration-fieldset">
      <legend>Looks for</legend>
      <div className="rules-checks">
        {DETECTORS.map(([name, label]) => (
          <label key={name} className="rules-check">
            <input type="checkbox" checked={builtIn.includes(name)} onChange={() => toggle(name)} />
            {label}
          </label>
        ))}
      </div>
      {own.map((detector, index) => (
        <OwnFields
          key={detector.id}
          detector={detector}
          index={index}
          errorAt={errorAt}
          onChange={(part) => onChange({ own: own.map((one, at) => (at === index ? { ...one, ...part } : one)) })}
          onRemove={() => onChange({ own: own.filter((_, at) => at !== index) })}
        />
      ))}
      {error !== undefined && <Notice kind="bad">{error}</Notice>}
      <div className="row">
        <Button onClick={() => add('words')}>
          <Icon name="plus" size={14} /> Words
        </Button>
        <Button onClick={() => add('pattern')}>
          <Icon name="plus" size={14} /> A pattern
        </Button>
      </div>
    </fieldset>
  );
}

type OwnFieldsProps = {
  readonly detector: OwnDetector;
  readonly index: number;
  readonly errorAt: DetectorFieldsProps['errorAt'];
  readonly onChange: (part: Partial<OwnDetector>) => void;
  readonly onRemove: () => void;
};

function OwnFields({ detector: { kind, name, text }, index, errorAt, onChange, onRemove }: OwnFieldsProps) {
  const what = kind === 'words' ? 'words' : 'pattern';
  const shared = { value: text, error: errorAt(`own.${index}.text`), spellCheck: false };
  return (
    <div className="rules-detector">
      <TextField
        label={`Name of the ${what}`}
        placeholder={kind === 'words' ? 'projects' : 'staff_number'}
        value={name}
        error={errorAt(`own.${index}.name`)}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      {kind === 'words' ? (
        <TextArea
          {...shared}
          label="Words or phrases, one on a line"
          rows={2}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      ) : (
        <TextField {...shared} label="Regular expression" onChange={({ target }) => onChange({ text: target.value })} />
      )}
      <IconButton label={`Take ${name === '' ? `these ${what}` : name} out`} onClick={onRemove}>
        <Icon name="close" size={14} />
      </IconButton>
    </div>
  );
}
