import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, unwrap, type Schemas } from '../../api';
import { Badge, Bar, Loaded, LoadingState, Money, Time } from '../../design';
import { formatMoney, parseUsd } from '../../format/money';
import { findShare } from '../../format/numbers';

type OwnKey = Schemas['CallingApiKey'];

/** The key that is signed in, for who sees nothing else of the organization. */
export function OwnKeyPanel() {
  const own = useQuery({
    queryKey: ['keys', 'self'],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/manage/apikey/self', { signal })),
    refetchInterval: 60_000,
  });
  return (
    <section className="panel" aria-labelledby="own-key">
      <div className="panel-body">
        <h2 id="own-key">This key</h2>
        <p className="quiet">
          You see what this key has used. To see more of the organization, sign in with a key that has the permission “manage”, or ask an
          administrator for one.
        </p>
      </div>
      <Loaded query={own} loading={<LoadingState lines={2} />}>
        {(key) => <Facts apiKey={key} />}
      </Loaded>
    </section>
  );
}

function Facts({ apiKey: key }: { readonly apiKey: OwnKey }) {
  return (
    <dl className="panel-body overview-own-key">
      <Fact name="Name">
        <strong>{key.name}</strong>
      </Fact>
      <Fact name="Begins and ends with">
        <span className="mono">
          {key.prefix}…{key.last4}
        </span>
      </Fact>
      <Fact name="Spent this month">
        <Spending apiKey={key} />
      </Fact>
      <Fact name="May">
        <Badge>{USES[key.permissions.completions]}</Badge>
      </Fact>
      <Fact name="Last used">{key.last_used_at === null ? 'never' : <Time at={key.last_used_at} form="moment" />}</Fact>
      <Fact name="Ends">{key.expires_at === null ? 'not by itself' : <Time at={key.expires_at} form="second" />}</Fact>
    </dl>
  );
}

const USES = { none: 'use no models', read: 'read results', write: 'use models' } as const;

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Spending({ apiKey: { monthly_limit: limit, monthly_spend: spend } }: { readonly apiKey: OwnKey }) {
  if (limit === 0) {
    return (
      <>
        <Money amount={spend} /> <span className="quiet">without a limit of its own</span>
      </>
    );
  }
  const [spent, most] = [parseUsd(spend), parseUsd(limit)];
  return (
    <>
      <Money amount={spend} /> <span className="quiet">of</span> <Money amount={limit} />
      <Bar
        label={`Spent ${formatMoney(spent)} of ${formatMoney(most)} this month`}
        share={findShare(spent, most)}
        kind={spent >= most ? 'bad' : 'normal'}
      />
    </>
  );
}
