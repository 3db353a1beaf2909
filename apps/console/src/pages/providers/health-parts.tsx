import { Badge, Time } from '../../design';
import { formatMilliseconds, formatShare } from '../../format/numbers';
import type { Health, Provider } from './provider-list';

const STATES = {
  ok: { kind: 'good', text: 'working' },
  partly_ejected: { kind: 'warn', text: 'partly left out' },
  ejected: { kind: 'bad', text: 'left out' },
  unknown: { kind: 'normal', text: 'not used lately' },
} as const;

const FAILING_SHARE = 0.5;

/** What is not left out can fail all the same: what is left out for a while is tried again. */
export function HealthBadge({ state, error_share: share }: Pick<Health, 'state' | 'error_share'>) {
  if (state === 'ok' && (share ?? 0) >= FAILING_SHARE) return <Badge kind="bad">failing</Badge>;
  const { kind, text } = STATES[state];
  return <Badge kind={kind}>{text}</Badge>;
}

/** `until` what requests go elsewhere; after that one of them tries whether the place replies again. */
export function LeftOutUntil({ until }: { readonly until: string | null }) {
  if (until === null) return <span className="quiet">–</span>;
  return <Time at={until} form="second" />;
}

export function ErrorShare({ share, isThin }: { readonly share: number | null; readonly isThin: boolean }) {
  if (share === null) return <span className="quiet">–</span>;
  if (!isThin) return formatShare(share);
  return (
    <span className="quiet exact" tabIndex={0} data-tip="Of fewer than 20 attempts: it says little">
      {formatShare(share)}
      <span className="visually-hidden"> of fewer than 20 attempts</span>
    </span>
  );
}

export function Latency({ latency: { stream, whole } }: { readonly latency: Health['latency_ms'] }) {
  if (stream === null && whole === null) return <span className="quiet">–</span>;
  const tip = [
    stream === null ? '' : `${formatMilliseconds(stream)} until the first byte of a stream`,
    whole === null ? '' : `${formatMilliseconds(whole)} until a whole reply`,
  ];
  const text = tip.filter((part) => part !== '').join(', ');
  return (
    <span className="exact" tabIndex={0} data-tip={text}>
      {formatMilliseconds(stream ?? whole ?? 0)}
      <span className="visually-hidden"> ({text})</span>
    </span>
  );
}

export function SetUpBadge({ is_set_up: isSetUp }: Pick<Provider, 'is_set_up'>) {
  if (isSetUp === null) return <Badge>not known</Badge>;
  return isSetUp ? <Badge kind="good">set up</Badge> : <Badge>not set up</Badge>;
}
