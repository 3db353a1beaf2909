import { Tile } from '../../design';
import { formatMoneyExactly, parseMoney } from '../../format/money';
import { formatCount, formatMilliseconds } from '../../format/numbers';
import type { Generation } from './request-page';

/** The figures that people come for. The cost is exact: this is the page to check it on. */
export function RequestFigures({ generation }: { readonly generation: Generation }) {
  const { cost, milliseconds, first_byte_milliseconds: firstByte, model, model_requested: requested } = generation;
  return (
    <div className="panel request-figures">
      <Tile label="Cost" value={<span className="request-value">{formatMoneyExactly(parseMoney(cost))}</span>} />
      <Tile label="Model" value={<span className="request-value">{requested === model ? model : `${requested} → ${model}`}</span>} />
      <Tile label="Duration" value={<span className="request-value">{writeDuration(milliseconds)}</span>} />
      <Tile label="First byte" value={<span className="request-value">{writeDuration(firstByte)}</span>} />
      <Tile label="Tokens in, out" value={<span className="request-value">{writeTokens(generation)}</span>} />
    </div>
  );
}

function writeDuration(milliseconds: number | null): string {
  return milliseconds === null ? '–' : formatMilliseconds(milliseconds);
}

/** Of the attempt that ended it; the prompt with what was read from the cache and written to it. */
function writeTokens({ attempts }: Generation): string {
  const last = attempts.at(-1);
  if (last === undefined) return '–';
  const { input, cached_input: cached, cache_write: written, output } = last.tokens;
  return `${formatCount(input + cached + written)} / ${formatCount(output)}`;
}
