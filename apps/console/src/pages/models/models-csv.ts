import type { CsvColumn } from '../../format/csv';
import { readPrice, shift, writeDecimal } from '../../format/decimals';
import { findProvider, listFeatures, type Model } from './filter-models';
import { listPrices } from './list-prices';
import { describeRetention } from './retention';

const MILLION = 6;

/** Prices of the first tier as numbers; all of them as text. */
export const MODEL_CSV: readonly CsvColumn<Model>[] = [
  ['id', ({ id }) => id],
  ['provider', findProvider],
  ['modality', ({ api }) => api],
  ['input_usd_per_million_tokens', (model) => perMillion(model.input_price)],
  ['output_usd_per_million_tokens', (model) => perMillion(model.output_price)],
  ['cached_input_usd_per_million_tokens', (model) => perMillion(model.cached_price)],
  ['all_prices', writePrices],
  ['context_tokens', (model) => model.context_window],
  ['output_tokens_max', (model) => model.max_output_tokens],
  ['features', (model) => listFeatures(model).join('; ')],
  ['region', ({ geolocation }) => geolocation],
  ['retention', describeRetention],
];

function perMillion(price: number | undefined): string | undefined {
  return price === undefined ? undefined : writeDecimal(shift(readPrice(price), MILLION)).replaceAll(',', '');
}

function writePrices(model: Model): string {
  return listPrices(model)
    .map(({ from, prices }) => {
      const texts = prices.map(({ name, amount, per }) => `${name} ${amount} per ${per}`).join(', ');
      return from === null ? texts : `${from}: ${texts}`;
    })
    .join('; ');
}
