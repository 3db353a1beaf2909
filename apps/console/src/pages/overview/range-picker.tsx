import { Segments, TextField } from '../../design';
import { PERIOD_FORMATS, type Range } from './overview-range';
import type { OverviewSearch, RangeName } from './overview-search';
import type { View } from './view';

const OPTIONS: readonly { value: RangeName; label: string }[] = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: 'month', label: 'This month' },
  { value: 'custom', label: 'Custom' },
];

const spellDay = (at: Date): string => at.toISOString().slice(0, 10);
const lastDay = ({ end }: Range): string => spellDay(new Date(end.getTime() - 1));

export function RangePicker({ view: { search, ranges, change } }: { readonly view: View }) {
  const { range = '7d' } = search;
  const choose = (next: RangeName): void => {
    const { from: _from, to: _to, by: _by, ...rest } = search;
    const days = { from: spellDay(ranges.now.start), to: lastDay(ranges.now) };
    change({ ...rest, range: next, ...(next === 'custom' ? days : {}) });
  };
  const setDay = (name: 'from' | 'to', day: string): void => {
    if (day !== '') change({ ...search, [name]: day } as OverviewSearch);
  };
  return (
    <div className="row">
      <Segments label="Range" value={range} options={OPTIONS} onChange={choose} />
      {range === 'custom' && (
        <>
          <TextField
            label="First day"
            isLabelHidden
            type="date"
            value={search.from ?? ''}
            onChange={(event) => setDay('from', event.target.value)}
          />
          <span className="quiet">to</span>
          <TextField
            label="Last day"
            isLabelHidden
            type="date"
            value={search.to ?? ''}
            onChange={(event) => setDay('to', event.target.value)}
          />
        </>
      )}
      <span className="quiet number">
        {PERIOD_FORMATS.day(ranges.now.start)} – {PERIOD_FORMATS.day(new Date(ranges.now.end.getTime() - 1))}, UTC
      </span>
    </div>
  );
}
