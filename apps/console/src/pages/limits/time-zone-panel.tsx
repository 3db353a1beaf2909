import { useQuery, useQueryClient } from '@tanstack/react-query';
import { updateOrganizationBody } from '@weir/contracts';
import { useId, useState } from 'react';
import { api, checkBody, unwrap, useForm } from '../../api';
import { Button, Loaded, LoadingState, showToast, TextField } from '../../design';
import { organizationQuery } from '../administration/lists';
import { FormError } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';

const UTC = 'UTC';

/** Whose days, weeks and months limits follow: a setting of the organization. */
export function TimeZonePanel() {
  const { seesAll } = useAuthority();
  const organization = useQuery({ ...organizationQuery, enabled: seesAll });
  if (!seesAll) return null;
  return (
    <section className="panel panel-body stack" aria-labelledby="limits-zone">
      <div>
        <h2 id="limits-zone">Time zone of the organization</h2>
        <p className="quiet">
          Hours, days, weeks and months of limits begin by its calendar, with daylight saving. Bills, and the monthly limits of keys and
          groups, are by UTC.
        </p>
      </div>
      <Loaded query={organization} loading={<LoadingState lines={1} />}>
        {({ time_zone: zone }) => <ZoneForm key={zone} zone={zone ?? ''} />}
      </Loaded>
    </section>
  );
}

function ZoneForm({ zone }: { readonly zone: string }) {
  const id = useId();
  const { canAdminister } = useAuthority();
  const [text, setText] = useState(zone);
  const client = useQueryClient();
  const typed = text.trim();
  const body = { time_zone: typed === '' || typed === UTC ? null : typed };
  const { submit, errorAt, errorElsewhere, isBusy } = useForm<unknown>({
    errors: checkBody(updateOrganizationBody, body),
    send: () => unwrap(api.PATCH('/v1/manage/org', { body })),
    onSuccess: () => {
      showToast({ text: `Limits follow the calendar of ${body.time_zone ?? UTC} within five seconds.` });
      void client.invalidateQueries({ queryKey: ['organization'] });
      void client.invalidateQueries({ queryKey: ['limits'] });
    },
  });
  if (!canAdminister) return <p>{zone === '' ? UTC : zone}</p>;
  return (
    <form
      className="limits-zone"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label="Time zone"
        list={id}
        placeholder={UTC}
        spellCheck={false}
        value={text}
        error={errorAt('time_zone')}
        onChange={({ target }) => setText(target.value)}
      />
      <datalist id={id}>
        {[UTC, ...Intl.supportedValuesOf('timeZone')].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button type="submit" isBusy={isBusy} disabled={typed === zone}>
        Save the time zone
      </Button>
      <FormError text={errorElsewhere('time_zone')} />
    </form>
  );
}
