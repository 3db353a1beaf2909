import { Button, Select, TextArea, TextField } from '../../design';
import type { Lane } from './chat-store';
import { listUnsupported } from './build-chat-body';
import { FORMATS, PARAMETER_NAMES, TOOL_CHOICES, type Draft, type Format, type ParameterName, type ToolChoice } from './draft';
import { EFFORTS, FORMAT_LABELS, PARAMETERS, supportsFormat, supportsParameter, supportsTools, type DraftErrors } from './parameters';

type SettingsProps = {
  readonly draft: Draft;
  readonly errors: DraftErrors;
  readonly lanes: readonly Lane[];
  readonly onChange: (draft: Partial<Draft>) => void;
};

/** What every request takes along. A field that no chosen model has is not there, unless something stands in it. */
export function SettingsPanel({ draft, errors, lanes, onChange }: SettingsProps) {
  const hasTools = draft.tools !== '' || lanes.some(({ known }) => supportsTools(known));
  return (
    <section className="panel panel-body stack playground-settings" aria-labelledby="playground-settings">
      <h2 id="playground-settings">Settings</h2>
      <TextArea label="System prompt" rows={3} value={draft.system} onChange={(event) => onChange({ system: event.target.value })} />
      <Parameters draft={draft} errors={errors} lanes={lanes} onChange={onChange} />
      <FormatFields draft={draft} errors={errors} lanes={lanes} onChange={onChange} />
      {hasTools && <ToolFields draft={draft} errors={errors} onChange={onChange} />}
      <details open={draft.more !== '' || errors.more !== undefined}>
        <summary>Other members</summary>
        <TextArea
          label="Members of the body, as JSON"
          placeholder={'{"top_k": 40}'}
          rows={3}
          spellCheck={false}
          value={draft.more}
          error={errors.more}
          onChange={(event) => onChange({ more: event.target.value })}
        />
      </details>
      {lanes.map(({ index, model, known }) => {
        const names = listUnsupported(draft, known);
        return names.length === 0 ? null : (
          <p key={index} className="quiet" role="status">
            Not sent to {model}, which does not have it: {names.join(', ')}.
          </p>
        );
      })}
    </section>
  );
}

function Parameters({ draft, errors, lanes, onChange }: SettingsProps) {
  const set = (name: ParameterName, text: string): void => onChange({ parameters: { ...draft.parameters, [name]: text } });
  const isShown = (name: ParameterName): boolean =>
    (draft.parameters[name] ?? '') !== '' || lanes.some(({ known }) => supportsParameter(known, name));
  const most = lanes.flatMap(({ known }) => known?.max_output_tokens ?? []);
  return (
    <div className="playground-parameters">
      {PARAMETER_NAMES.filter(isShown).map((name) => {
        const { label, hint } = PARAMETERS[name];
        const value = draft.parameters[name] ?? '';
        if (name === 'stop')
          return (
            <TextArea
              key={name}
              label={label}
              hint={hint}
              rows={1}
              value={value}
              error={errors[name]}
              onChange={(event) => set(name, event.target.value)}
            />
          );
        const said = name === 'max_tokens' && most.length > 0 ? `At most ${Math.min(...most)}` : hint;
        const list = name === 'reasoning_effort' ? { list: 'playground-efforts' } : {};
        return (
          <TextField
            key={name}
            label={label}
            hint={said}
            value={value}
            error={errors[name]}
            onChange={(event) => set(name, event.target.value)}
            {...list}
          />
        );
      })}
      <datalist id="playground-efforts">
        {EFFORTS.map((effort) => (
          <option key={effort} value={effort} />
        ))}
      </datalist>
    </div>
  );
}

const EXAMPLE_SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
};

function FormatFields({ draft, errors, lanes, onChange }: SettingsProps) {
  const formats = FORMATS.filter((format) => format === draft.format || lanes.some(({ known }) => supportsFormat(known, format)));
  const choose = (format: Format): void => {
    const isEmpty = format === 'json_schema' && draft.schema === '';
    onChange({ format, ...(isEmpty ? { schema: JSON.stringify(EXAMPLE_SCHEMA, null, 2) } : {}) });
  };
  return (
    <>
      <Select
        label="Response format"
        value={draft.format}
        options={formats.map((format) => ({ value: format, label: FORMAT_LABELS[format] }))}
        onChange={(value) => choose(value as Format)}
      />
      {draft.format === 'json_schema' && (
        <TextArea
          label="Schema"
          rows={8}
          spellCheck={false}
          value={draft.schema}
          error={errors.schema}
          onChange={(event) => onChange({ schema: event.target.value })}
        />
      )}
    </>
  );
}

const EXAMPLE_TOOL = [
  {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];
const CHOICE_LABELS: Readonly<Record<ToolChoice, string>> = {
  auto: 'The model decides',
  required: 'It has to call one',
  none: 'It calls none',
};

function ToolFields({ draft, errors, onChange }: Omit<SettingsProps, 'lanes'>) {
  return (
    <>
      <TextArea
        label="Tools"
        hint="A JSON list of functions: name, description, parameters."
        rows={draft.tools === '' ? 2 : 8}
        spellCheck={false}
        value={draft.tools}
        error={errors.tools}
        onChange={(event) => onChange({ tools: event.target.value })}
      />
      {draft.tools === '' ? (
        <div>
          <Button onClick={() => onChange({ tools: JSON.stringify(EXAMPLE_TOOL, null, 2) })}>Begin with an example</Button>
        </div>
      ) : (
        <Select
          label="Choice of tools"
          value={draft.toolChoice}
          options={TOOL_CHOICES.map((choice) => ({ value: choice, label: CHOICE_LABELS[choice] }))}
          onChange={(value) => onChange({ toolChoice: value as ToolChoice })}
        />
      )}
    </>
  );
}
