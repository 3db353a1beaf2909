import type { UseQueryResult } from '@tanstack/react-query';
import { Loaded, LoadingState, Tile } from '../../design';
import { findChange } from '../../format/numbers';
import { sumUsage, type Sums, type Usage } from './fold-usage';
import { MeasureValue } from './measure-value';
import { MEASURES, type Figure } from './overview-search';
import { useUsage } from './usage-queries';
import { FIGURE_NAMES, type View } from './view';

type FigureTilesProps = { readonly view: View; readonly usage: UseQueryResult<Usage> };

/** The sums of the range. Choosing one shows what it is made of below. */
export function FigureTiles({ view, usage }: FigureTilesProps) {
  const { ranges, filters } = view;
  const before = useUsage({ range: ranges.before, resolution: 'day', filters });
  return (
    <div className="panel overview-tiles" role="group" aria-label="Sums of the range, against the range before">
      <Loaded query={usage} loading={<LoadingState lines={3} />}>
        {(data) => <Tiles view={view} now={sumUsage(data)} before={before.data === undefined ? undefined : sumUsage(before.data)} />}
      </Loaded>
    </div>
  );
}

type ChooseProps = { readonly view: View; readonly figure: Figure };

/** The name of a figure, which has it drawn and listed below. */
export function ChooseFigure({ view, figure }: ChooseProps) {
  return (
    <button
      type="button"
      className="overview-choose"
      aria-pressed={isChosen(view, figure)}
      onClick={() => view.change({ ...view.search, measure: figure })}
    >
      {FIGURE_NAMES[figure]}
    </button>
  );
}

export function isChosen({ measure, timing }: View, figure: Figure): boolean {
  return figure === (timing ?? measure);
}

function Tiles({ view, now, before }: { readonly view: View; readonly now: Sums; readonly before: Sums | undefined }) {
  return MEASURES.map((measure) => (
    <div key={measure} className={isChosen(view, measure) ? 'overview-tile overview-tile-chosen' : 'overview-tile'}>
      <Tile
        label={<ChooseFigure view={view} figure={measure} />}
        value={<MeasureValue measure={measure} value={now[measure]} isShort />}
        before={before === undefined ? '…' : <MeasureValue measure={measure} value={before[measure]} isShort />}
        change={before === undefined ? null : findChange(now[measure], before[measure])}
      />
    </div>
  ));
}
