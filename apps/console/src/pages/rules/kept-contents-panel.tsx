import { useQuery, useQueryClient } from '@tanstack/react-query';
import { updateOrganizationBody } from '@weir/contracts';
import { useState } from 'react';
import { api, checkBody, unwrap, useForm } from '../../api';
import { Button, ConfirmDialog, Loaded, Notice, Select, showToast } from '../../design';
import { organizationQuery } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';

const DAYS = [1, 2, 3, 7, 14, 30];
const OFF = 'off';

const writeDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** Whether contents of requests are kept, and for how long: for administrators of the organization. */
export function KeptContentsPanel() {
  const { canAdminister, seesAll } = useAuthority();
  const organization = useQuery({ ...organizationQuery, enabled: seesAll });
  if (!seesAll) return null;
  return (
    <section className="panel" aria-labelledby="kept-contents">
      <div className="panel-body stack">
        <h2 id="kept-contents">Contents of requests</h2>
        <p>
          What callers send and get is kept nowhere, unless it is turned on here: then the bodies of chat and embedding requests are kept
          sealed for some days, for keys with the permission <code>contents: read</code>, and each reading is in the audit log. Headers,
          images, sound and files are never kept.
        </p>
        <Loaded query={organization}>
          {({ keep_contents_days: days, zero_data_retention: isZero }) => (
            <>
              {isZero && <Notice>The organization is under zero data retention: nothing is kept, whatever is set here.</Notice>}
              {canAdminister ? (
                <DaysForm key={days ?? OFF} days={days} />
              ) : (
                <p>{days === null ? 'Off.' : `Kept for ${writeDays(days)}.`}</p>
              )}
            </>
          )}
        </Loaded>
      </div>
    </section>
  );
}

function DaysForm({ days }: { readonly days: number | null }) {
  const [chosen, setChosen] = useState(days === null ? OFF : String(days));
  const [isConfirming, setConfirming] = useState(false);
  const next = chosen === OFF ? null : Number(chosen);
  const { submit, isBusy, error } = useSaveDays(next, () => setConfirming(false));
  const isShorter = days !== null && (next ?? 0) < days;
  return (
    <>
      <div style={{ maxWidth: 280 }}>
        <Select
          label="Keep contents"
          value={chosen}
          options={listChoices(days)}
          error={isConfirming ? undefined : error}
          onChange={setChosen}
        />
      </div>
      <div className="row">
        <Button kind="primary" isBusy={isBusy} disabled={next === days} onClick={isShorter ? () => setConfirming(true) : submit}>
          Save
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title={next === null ? 'Keep no contents any more?' : `Keep contents for ${writeDays(next)} only?`}
        action={next === null ? 'Delete what is kept' : 'Delete what is older'}
        isBusy={isBusy}
        error={error}
        onConfirm={submit}
      >
        {next === null ? 'All contents of requests that are kept now' : `Contents that are older than ${writeDays(next)}`} are out of reach
        at once, and deleted within the hour. They cannot be brought back.
      </ConfirmDialog>
    </>
  );
}

/** Those that are offered, and what was set elsewhere. */
function listChoices(days: number | null): { value: string; label: string }[] {
  const all = days === null ? DAYS : [...new Set([...DAYS, days])].sort((a, b) => a - b);
  return [{ value: OFF, label: 'Off' }, ...all.map((one) => ({ value: String(one), label: `For ${writeDays(one)}` }))];
}

function useSaveDays(next: number | null, onSaved: () => void) {
  const client = useQueryClient();
  const body = { keep_contents_days: next };
  const { submit, isBusy, errorAt, errorElsewhere } = useForm({
    errors: checkBody(updateOrganizationBody, body),
    send: () => unwrap(api.PATCH('/v1/manage/org', { body })),
    onSuccess: async () => {
      onSaved();
      await client.invalidateQueries({ queryKey: ['organization'] });
      showToast({ text: next === null ? 'Contents of requests are kept no more' : `Contents of requests are kept for ${writeDays(next)}` });
    },
  });
  return { submit, isBusy, error: errorAt('keep_contents_days') ?? errorElsewhere('keep_contents_days') };
}
