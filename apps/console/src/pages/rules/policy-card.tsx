import { Link } from '@tanstack/react-router';
import { Badge, RowMenu } from '../../design';
import { describePolicy, drawPolicy, writeShare, type DrawnMember } from './draw-policy';
import { STRATEGIES } from './policy-form';
import type { Policy } from './rules-queries';

type PolicyCardProps = {
  readonly policy: Policy;
  readonly all: readonly Policy[];
  readonly actions: { readonly edit: (policy: Policy) => void; readonly remove: (policy: Policy) => void } | undefined;
};

/** One policy: its order and weights as a picture, and what to do with it. */
export function PolicyCard({ policy, all, actions }: PolicyCardProps) {
  return (
    <article className="rules-card" aria-label={`policy/${policy.name}`}>
      <div className="spread">
        <h3 className="mono">policy/{policy.name}</h3>
        <span className="row">
          <Badge>{STRATEGIES.find(({ value }) => value === policy.strategy)?.label}</Badge>
          <Link from="/rules" search={(old) => ({ ...old, tab: 'plan' as const, model: `policy/${policy.name}` })}>
            Plan a request
          </Link>
          {actions !== undefined && (
            <RowMenu
              label={`Change or delete ${policy.name}`}
              entries={[
                { label: 'Change …', onSelect: () => actions.edit(policy) },
                { label: 'Delete …', isDanger: true, onSelect: () => actions.remove(policy) },
              ]}
            />
          )}
        </span>
      </div>
      <figure>
        <figcaption className="quiet">{describePolicy(policy)}</figcaption>
        <Members members={drawPolicy(policy, all)} isOrdered={policy.strategy === 'fallback'} />
      </figure>
    </article>
  );
}

/** The caption says it all in words: the picture is for the eye. */
function Members({ members, isOrdered }: { readonly members: readonly DrawnMember[]; readonly isOrdered: boolean }) {
  return (
    <ol className="rules-drawn" aria-hidden="true">
      {members.map((member) => (
        <li key={`${member.place} ${member.model}`} className={member.share === 0 ? 'rules-drawn-later' : undefined}>
          <div className="rules-drawn-head">
            <span className="rules-drawn-place">{isOrdered ? member.place : '•'}</span>
            <span className="mono rules-drawn-model">{member.model}</span>
            {member.retries > 0 && <span className="quiet">{member.retries}× again</span>}
            <span className="number rules-drawn-share">{member.share === null ? '' : nameShare(member.share, isOrdered)}</span>
          </div>
          {member.share !== null && member.share > 0 && <ShareBar share={member.share} />}
          {member.inside.length > 0 && <Members members={member.inside} isOrdered={member.inside.some(({ share }) => share === 0)} />}
        </li>
      ))}
    </ol>
  );
}

function ShareBar({ share }: { readonly share: number }) {
  return (
    <svg className="rules-drawn-bar" viewBox="0 0 100 4" preserveAspectRatio="none" focusable="false">
      <rect className="rules-drawn-track" width="100" height="4" rx="1" />
      <rect className="rules-drawn-fill" width={Math.max(1, share * 100)} height="4" rx="1" />
    </svg>
  );
}

function nameShare(share: number, isOrdered: boolean): string {
  if (isOrdered) return share > 0 ? 'first' : 'when those before fail';
  return writeShare(share);
}
