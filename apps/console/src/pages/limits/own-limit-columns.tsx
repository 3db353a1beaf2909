import { Badge, Bar, Time, type Column } from '../../design';
import { ACTION_KINDS } from './limit-columns';
import { LimitAmount, LimitFigure } from './limit-fill';
import { ACTION_WORDS, gradeShare, writeFigure, writeFilters } from './limit-words';
import type { BindingLimit } from './limits-queries';
import { shareOf, writeOwnAbout } from './own-limit-words';

export function listOwnLimitColumns(): Column<BindingLimit>[] {
  return [
    { id: 'name', head: 'Limit', width: 240, cell: (limit) => <NameCell limit={limit} /> },
    { id: 'amount', head: 'At most', width: 190, cell: (limit) => <AmountCell limit={limit} /> },
    { id: 'fill', head: 'Used now', width: 270, cell: (limit) => <FillCell limit={limit} /> },
    { id: 'action', head: 'When full', width: 150, cell: (limit) => <ActionCell limit={limit} /> },
  ];
}

type CellProps = { readonly limit: BindingLimit };

function NameCell({ limit }: CellProps) {
  const { name, models, providers, modalities } = limit;
  const filters = writeFilters({ models: models ?? [], providers: providers ?? [], modalities: modalities ?? [] });
  return (
    <span className="limits-lines">
      <span className="limits-name">{name}</span>
      <span className="quiet limits-small">{writeOwnAbout(limit)}</span>
      {filters !== '' && <span className="quiet limits-small">only {filters}</span>}
    </span>
  );
}

function AmountCell({ limit: { measure, window, limit } }: CellProps) {
  return (
    <span className="limits-lines">
      <LimitAmount limit={{ measure, amount: limit, ...(window === null ? {} : { window }) }} />
    </span>
  );
}

function FillCell({ limit }: CellProps) {
  const { name, measure, used, held } = limit;
  const share = shareOf(limit);
  if (used === null || share === undefined) return <span className="quiet">known when a request is sent</span>;
  const words = `${name}: ${writeFigure(measure, used).exact} of ${writeFigure(measure, limit.limit).exact} used`;
  return (
    <div className="limits-fill">
      <span className="limits-fill-figures">
        <LimitFigure measure={measure} amount={used} />
        <span className="quiet">
          of <LimitFigure measure={measure} amount={limit.limit} />
          {held !== null && Number(held) > 0 && (
            <>
              {' · '}
              <LimitFigure measure={measure} amount={held} /> for requests that run
            </>
          )}
        </span>
      </span>
      <Bar label={words} share={share} kind={gradeShare(share)} />
      {limit.frees_at !== null && (
        <span className="quiet limits-small">
          {limit.window === '24h' || limit.window === '30d' ? 'begins to free ' : 'frees '}
          <Time at={limit.frees_at} />
        </span>
      )}
    </div>
  );
}

function ActionCell({ limit: { action, fallback_model: model } }: CellProps) {
  return (
    <span className="limits-lines">
      <span>
        <Badge kind={ACTION_KINDS[action]}>{ACTION_WORDS[action]}</Badge>
      </span>
      {model !== null && <span className="quiet limits-small">{model}</span>}
    </span>
  );
}
