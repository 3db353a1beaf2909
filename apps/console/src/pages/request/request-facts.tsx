import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge, Time } from '../../design';
import { listLabels } from '../administration/labels';
import { describeVerdict } from '../requests/filter-words';
import type { RequestsSearch } from '../requests/requests-search';
import type { Generation } from './request-page';

/** Who asked, when, and by what; each leads to the requests that have it too. */
export function RequestFacts({ generation }: { readonly generation: Generation }) {
  return (
    <section className="panel" aria-labelledby="request-facts">
      <div className="panel-body stack">
        <h2 id="request-facts">Request</h2>
        <dl className="request-facts">
          <Fact name="Admitted">
            <Time at={generation.admitted_at} form="second" />
          </Fact>
          <Fact name="Ended">
            <Time at={generation.ended_at} form="second" />
          </Fact>
          <Fact name="Endpoint">
            <Alike search={{ endpoint: [generation.endpoint] }}>{generation.endpoint}</Alike>
            {generation.stream === null ? '' : generation.stream ? ', streamed' : ', whole'}
          </Fact>
          <Fact name="Model requested">
            <Alike search={{ model_requested: [generation.model_requested] }}>{generation.model_requested}</Alike>
          </Fact>
          <Fact name="Model used">
            <Alike search={{ model: [generation.model] }}>{generation.model}</Alike>
          </Fact>
          <Fact name="Key">
            <Alike search={{ api_key_id: [generation.api_key_id] }}>{generation.api_key_name ?? generation.api_key_id}</Alike>
          </Fact>
          <CallerFacts generation={generation} />
          <Labels generation={generation} />
          <Verdict verdict={generation.guardrail} />
        </dl>
      </div>
    </section>
  );
}

function CallerFacts({ generation }: { readonly generation: Generation }) {
  const { user_id: member, group_id: group, end_user: endUser, origin_title: origin, trace_id: trace } = generation;
  return (
    <>
      {member !== null && (
        <Fact name="Member">
          <Alike search={{ user_id: [member] }}>{generation.user_email ?? member}</Alike>
        </Fact>
      )}
      {group !== null && (
        <Fact name="Group">
          <Alike search={{ group_id: [group] }}>{generation.group_name ?? group}</Alike>
        </Fact>
      )}
      {endUser !== null && (
        <Fact name="End user">
          <Alike search={{ end_user: [endUser] }}>{endUser}</Alike>
        </Fact>
      )}
      {origin !== null && <Fact name="Origin">{origin}</Fact>}
      {trace !== null && (
        <Fact name="Trace">
          <span className="mono">{trace}</span>
        </Fact>
      )}
      {Object.entries(generation.extra).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </>
  );
}

function Labels({ generation: { labels } }: { readonly generation: Generation }) {
  const all = [...listLabels(labels.group), ...listLabels(labels.key)];
  if (all.length === 0) return null;
  return (
    <Fact name="Labels">
      <span className="row">
        {[...new Set(all)].map((label) => (
          <Alike key={label} search={{ label: [label] }}>
            {label}
          </Alike>
        ))}
      </span>
    </Fact>
  );
}

function Verdict({ verdict }: { readonly verdict: string | null }) {
  const { text, kind, about } = describeVerdict(verdict);
  return (
    <Fact name="Guardrail">
      <Badge kind={kind}>{text}</Badge> <span className="quiet">{about}</span>
    </Fact>
  );
}

function Alike({ search, children }: { readonly search: RequestsSearch; readonly children: ReactNode }) {
  return (
    <Link to="/requests" search={search}>
      {children}
    </Link>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
