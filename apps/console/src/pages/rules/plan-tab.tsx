import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, unwrap } from '../../api';
import { findError, hasErrors } from '../../api/check-body';
import { Button, Loaded, Select, TextArea, TextField } from '../../design';
import { keysQuery } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';
import { ModelInput } from './model-input';
import { EMPTY_PLAN, findPlanErrors, getEndpoint, toPlanBody, type PlanForm } from './plan-form';
import { PlanResult } from './plan-result';
import { useModelNames } from './rules-queries';
import { PLAN_ENDPOINTS, type PlanEndpoint } from './rules-search';

const route = getRouteApi('/shell/rules');

/** What would happen to a request now: planned by the gateway with the code that admits requests, and not sent. */
export function PlanTab() {
  const { model, key, endpoint } = route.useSearch();
  const navigate = route.useNavigate();
  const [form, setForm] = useState<PlanForm>({
    ...EMPTY_PLAN,
    ...(model === undefined ? {} : { model }),
    ...(key === undefined ? {} : { key }),
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  // A link to a model plans it at once.
  const [asked, setAsked] = useState<{ readonly form: PlanForm; readonly at: number } | null>(model === undefined ? null : { form, at: 0 });
  const [isTried, setTried] = useState(false);
  const errors = findPlanErrors(form);
  const plan = useQuery({
    queryKey: ['plans', asked],
    enabled: asked !== null,
    // Health and money move on: what was planned a while ago is planned again.
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => unwrap(api.POST('/v1/plan', { body: toPlanBody(asked?.form ?? form), signal })),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (hasErrors(errors)) return;
    setAsked({ form, at: Date.now() });
    const shown = { model: form.model.trim(), key: form.key, endpoint: form.endpoint };
    void navigate({ search: (old) => ({ ...old, ...shown }), replace: true, resetScroll: false });
  };
  return (
    <div className="rules-columns">
      <form className="panel panel-body stack" onSubmit={submit} aria-labelledby="rules-plan">
        <div>
          <h2 id="rules-plan">A request</h2>
          <p className="quiet">Planned by the gateway as it would admit it now. Nothing is sent, and nothing is charged.</p>
        </div>
        <PlanFields
          form={form}
          onChange={(part) => setForm((old) => ({ ...old, ...part }))}
          errorAt={(field) => (isTried ? findError(errors, [field]) : undefined)}
        />
        <div>
          <Button type="submit" kind="primary" isBusy={plan.isFetching}>
            Plan it
          </Button>
        </div>
      </form>
      <section className="stack" aria-label="The plan">
        {asked === null ? (
          <p className="panel panel-body quiet">
            The plan stands here: which models in which order and why, what is left out and why, and the limits that bind.
          </p>
        ) : (
          <Loaded query={plan}>{(data) => <PlanResult plan={data} />}</Loaded>
        )}
      </section>
    </div>
  );
}

type FieldsProps = {
  readonly form: PlanForm;
  readonly onChange: (part: Partial<PlanForm>) => void;
  readonly errorAt: (field: string) => string | undefined;
};

const ENDPOINT_OPTIONS = PLAN_ENDPOINTS.map((value) => ({ value, label: getEndpoint(value).label }));

function PlanFields({ form, onChange, errorAt }: FieldsProps) {
  const { modality, text, length } = getEndpoint(form.endpoint);
  const names = useModelNames(modality);
  return (
    <>
      <ModelInput
        label="Model, policy or alias"
        value={form.model}
        names={names}
        error={errorAt('model')}
        hint={modality === 'chat' ? 'Empty: the default model.' : ''}
        onChange={(model) => onChange({ model })}
      />
      <KeyField value={form.key} onChange={(key) => onChange({ key })} />
      <Select
        label="Endpoint"
        value={form.endpoint}
        options={ENDPOINT_OPTIONS}
        onChange={(endpoint) => onChange({ endpoint: endpoint as PlanEndpoint })}
      />
      {text !== '' && <TextArea label="Text" rows={3} value={form.text} onChange={({ target }) => onChange({ text: target.value })} />}
      {length !== null && (
        <TextField
          label={length === 'seconds' ? 'Length of the recording, in seconds' : 'Longest reply, in tokens'}
          inputMode="numeric"
          value={form.length}
          error={errorAt('length')}
          onChange={({ target }) => onChange({ length: target.value })}
        />
      )}
      <details className="administration-details" open={form.user !== '' || form.headers !== ''}>
        <summary>End user, headers and labels</summary>
        <div className="stack">
          <TextField label="End user" value={form.user} onChange={({ target }) => onChange({ user: target.value })} />
          <TextArea
            label="Headers"
            hint="One on a line: x-weir-data-policy: zero-retention, or labels such as x-weir-team: search."
            rows={3}
            spellCheck={false}
            value={form.headers}
            error={errorAt('headers')}
            onChange={({ target }) => onChange({ headers: target.value })}
          />
        </div>
      </details>
    </>
  );
}

const OWN = { value: '', label: 'The key of this session' };

/** Administrators plan requests of any key, others their own. */
function KeyField({ value, onChange }: { readonly value: string; readonly onChange: (key: string) => void }) {
  const { seesAll } = useAuthority();
  const keys = useQuery({ ...keysQuery, enabled: seesAll }).data ?? [];
  if (!seesAll) return null;
  const listed = keys.filter(({ id, status }) => status === 'active' || id === value);
  const options = listed.map(({ id, name, last4, created_by: person }) => ({
    value: id,
    label: `${name} (… ${last4})${person === null ? '' : `, ${person.email}`}`,
  }));
  return <Select label="Sent with" value={value} options={[OWN, ...options]} onChange={onChange} />;
}
