import { guardrailBody } from '@weir/contracts';
import { checkBody, mergeErrors, type FieldErrors } from '../../api/check-body';
import type { Schemas } from '../../api/client';
import type { Guardrail } from './rules-queries';

export type Action = Guardrail['action'];
export type Stage = Guardrail['stage'];
type BuiltIn = Extract<Schemas['GuardrailBody']['detectors'][number], string>;

/** A word list or a pattern of one's own, as it is typed; `id` is the row's own. */
export type OwnDetector = { readonly id: number; readonly kind: 'pattern' | 'words'; readonly name: string; readonly text: string };

export type GuardrailForm = {
  readonly name: string;
  readonly builtIn: readonly string[];
  readonly own: readonly OwnDetector[];
  readonly action: Action;
  readonly stage: Stage;
  readonly onError: Guardrail['on_error'];
  readonly scanner: string;
  /** `organization`, `key:<id>` or `group:<id>`. */
  readonly scope: string;
};

export const DETECTORS: readonly (readonly [name: BuiltIn, label: string])[] = [
  ['email', 'Email addresses'],
  ['phone', 'Phone numbers'],
  ['card', 'Card numbers'],
  ['iban', 'IBANs'],
  ['secret', 'Secrets and keys'],
  ['ip_address', 'IP addresses'],
  ['national_id', 'National ids'],
  ['prompt_injection', 'Prompt injection (known phrases)'],
];

export const ACTIONS: readonly { readonly value: Action; readonly label: string; readonly about: string }[] = [
  { value: 'flag', label: 'Flag it', about: 'The request goes on; usage says that something was found.' },
  { value: 'mask', label: 'Mask it', about: 'A placeholder goes on in its place; the reply has the original again.' },
  { value: 'block', label: 'Block it', about: 'The request, or the reply, is refused.' },
];

export const EMPTY_GUARDRAIL: GuardrailForm = {
  ...{ name: '', builtIn: ['email'], own: [], action: 'mask', stage: 'both', onError: 'closed', scanner: '', scope: 'organization' },
};

export function fillGuardrail(rule: Guardrail): GuardrailForm {
  const own = rule.detectors.flatMap((detector, id): OwnDetector[] => {
    if (typeof detector === 'string') return [];
    const { name } = detector;
    return [
      'words' in detector
        ? { id, kind: 'words', name, text: detector.words.join('\n') }
        : { id, kind: 'pattern', name, text: detector.pattern },
    ];
  });
  return {
    name: rule.name,
    builtIn: rule.detectors.filter((detector) => typeof detector === 'string'),
    own,
    ...{ action: rule.action, stage: rule.stage, onError: rule.on_error, scanner: rule.scanner_url ?? '' },
    scope: nameScope(rule),
  };
}

function nameScope({ api_key_id: key, group_id: group }: Pick<Guardrail, 'api_key_id' | 'group_id'>): string {
  if (key !== undefined) return `key:${key}`;
  return group === undefined ? 'organization' : `group:${group}`;
}

export function toGuardrailBody(form: GuardrailForm): Schemas['GuardrailBody'] {
  const [kind, id] = form.scope.split(':');
  const scanner = form.scanner.trim();
  return {
    name: form.name.trim(),
    detectors: [...(form.builtIn as BuiltIn[]), ...form.own.map(toDetector)],
    ...{ action: form.action, stage: form.stage, on_error: form.onError },
    ...(scanner === '' ? {} : { scanner_url: scanner }),
    ...(id !== undefined && kind === 'key' ? { api_key_id: id } : {}),
    ...(id !== undefined && kind === 'group' ? { group_id: id } : {}),
  };
}

function toDetector({ kind, name, text }: OwnDetector) {
  const lines = text.split('\n').map((line) => line.trim());
  return kind === 'pattern' ? { name: name.trim(), pattern: text } : { name: name.trim(), words: lines.filter((line) => line !== '') };
}

/** The fields of own detectors are named by their rows: `own.0.name`. */
export function findGuardrailErrors(form: GuardrailForm): FieldErrors {
  const errors = checkBody(guardrailBody, toGuardrailBody(form));
  return mergeErrors(
    form.builtIn.length + form.own.length === 0 ? { detectors: 'Choose what it looks for.' } : {},
    Object.fromEntries(Object.entries(errors).map(([field, error]) => [nameOwnField(field, form), error])),
  );
}

const OWN_FIELD = /^detectors\.(\d+)(?:\.(name|pattern|words))?(?:\.\d+)?$/;

export function nameOwnField(field: string, { builtIn }: Pick<GuardrailForm, 'builtIn'>): string {
  const [, index, member] = OWN_FIELD.exec(field) ?? [];
  const row = Number(index) - builtIn.length;
  if (index === undefined || row < 0) return field;
  return `own.${row}.${member === 'name' ? 'name' : 'text'}`;
}

/** The same as it is tried: without the name it still needs, and without whom it is for. */
export function toTriedGuardrail(form: GuardrailForm): NonNullable<Schemas['TestGuardrail']['guardrail']> {
  const { api_key_id: _key, group_id: _group, ...tried } = toGuardrailBody(form);
  return { ...tried, name: tried.name === '' ? 'this guardrail' : tried.name };
}
