import type { Model } from './filter-models';
import { listPrices } from './list-prices';

/** All prices, exactly; tiers only where there are several. */
export function PriceList({ model }: { readonly model: Model }) {
  return (
    <div className="stack">
      {listPrices(model).map(({ from, prices }) => (
        <div key={from ?? ''}>
          {from !== null && <p className="models-tier">{from}</p>}
          <dl className="models-prices">
            {prices.map(({ name, amount, per }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <span className="number">{amount}</span> <span className="quiet">per {per}</span>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {model.discount_percentage !== undefined && <p className="quiet">{model.discount_percentage}% below the provider’s list prices</p>}
    </div>
  );
}
