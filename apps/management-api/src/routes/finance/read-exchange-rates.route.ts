import { exchangeRateParameters } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { dayKey, formatRate } from '@weir/finance';
import { DAY_MS } from '@weir/usage';
import { parseBody } from '../../bodies/parse-body';
import { checkCurrency, loadDayRates } from '../../finance/day-rates';
import { defineRoute, noBody, ok } from '../../route/route';

const DAYS_MAX = 400;

/** What amounts of each day are converted by, and which days have no rate. */
export const readExchangeRates = defineRoute({
  id: 'read-exchange-rates',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const { currency, start, end } = parseBody(exchangeRateParameters, query);
    checkCurrency(currency);
    const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
    if (!(startMs < endMs)) throw new GatewayError('invalid_request', '`end` must be after `start`.', { field: 'end' });
    if (endMs - startMs > DAYS_MAX * DAY_MS)
      throw new GatewayError('invalid_request', `\`end\` must be at most ${DAYS_MAX} days after \`start\`.`, { field: 'end' });
    const rates = await database.asOrganization(organizationId).transact((tx) => loadDayRates(tx, { currency, startMs, endMs }));
    const days = Array.from({ length: (endMs - startMs) / DAY_MS }, (_, at) => dayKey(startMs + at * DAY_MS));
    return ok({
      exchange_rates: {
        currency,
        rates: days.flatMap((day) => {
          const found = rates.look(day);
          return found === undefined ? [] : [{ day, published_on: found.publishedOn, per_usd: formatRate(found) }];
        }),
        missing: days.filter((day) => rates.look(day) === undefined),
      },
    });
  },
});
