import { formatMoneyExactly, parseMoney } from '../../format/money';
import type { Generation } from './request-page';

/** What was set aside before the request was sent, and where. */
export function LimitsPanel({ generation: { limits, billed } }: { readonly generation: Generation }) {
  return (
    <section className="panel" aria-labelledby="request-limits">
      <div className="panel-body stack">
        <h2 id="request-limits">Limits</h2>
        {limits === null ? (
          <p className="quiet">No limit applied, so no money was set aside.</p>
        ) : (
          <>
            <p>
              Before it was sent, <span className="number">{formatMoneyExactly(parseMoney(limits.reserved))}</span> was set aside: the most
              that it could cost. When it ended, the <span className="number">{formatMoneyExactly(parseMoney(billed))}</span> that is billed
              took its place.
            </p>
            <dl className="request-facts">
              <dt>Set aside in</dt>
              <dd>
                <ul>
                  {limits.scopes.map((scope) => (
                    <li key={scope} className="mono request-id">
                      {scope}
                    </li>
                  ))}
                </ul>
              </dd>
              <dt>Hold</dt>
              <dd className="mono request-id">{limits.hold_id}</dd>
            </dl>
          </>
        )}
      </div>
    </section>
  );
}
