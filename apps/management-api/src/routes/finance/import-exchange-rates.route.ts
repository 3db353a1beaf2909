import { importExchangeRatesBody } from '@weir/contracts';
import { findChangedRates, loadExchangeRates, type ExchangeRateRow } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { isCurrency } from '@weir/finance';
import { runChange } from '../../changes/run-change';
import { readRatesBody } from '../../finance/read-rates-body';
import { defineRoute, ok } from '../../route/route';

/** A rate that was loaded is part of reports: it is changed on purpose only, and the audit log has what it was. */
export const importExchangeRates = defineRoute({
  id: 'import-exchange-rates',
  body: importExchangeRatesBody,
  readBody: readRatesBody,
  run: async (call, parts) => {
    const { rates, source = null, replace } = call.body;
    checkRates(rates);
    const imported = await runChange(parts, { ...call, action: 'import-exchange-rates' }, async (tx) => {
      const changed = await findChangedRates(tx, rates);
      const [first] = changed;
      if (first !== undefined && !replace) throw refuseReplacement(first);
      const loaded = await loadExchangeRates(tx, { rates, source });
      const currencies = [...new Set(rates.map(({ currency }) => currency))].sort();
      const days = rates.map(({ day }) => day).sort();
      return {
        result: { loaded: loaded - changed.length, replaced: changed.length, unchanged: rates.length - loaded },
        audit: {
          targetKind: 'finance',
          targetId: 'exchange-rates',
          before: changed.length === 0 ? null : { rates: changed.map(({ before, rate: _rate, ...of }) => ({ ...of, rate: before })) },
          after: { loaded, source, currencies, first_day: days[0] ?? null, last_day: days.at(-1) ?? null, replaced: changed },
        },
        changed: [],
      };
    });
    return ok({ imported });
  },
});

function checkRates(rates: readonly ExchangeRateRow[]): void {
  const seen = new Set<string>();
  for (const [at, { base, currency, day }] of rates.entries()) {
    const place = (name: string): string => `rates.${at}.${name}`;
    for (const [name, code] of Object.entries({ base, currency })) {
      if (!isCurrency(code)) throw invalid(place(name), `must be the code of a currency, and "${code}" is none`);
    }
    if (base === currency) throw invalid(place('currency'), 'must be another one than the base');
    const key = `${base} ${currency} ${day}`;
    if (seen.has(key)) throw invalid(place('day'), `has a rate of ${currency} for ${day} already in this file`);
    seen.add(key);
  }
}

function invalid(field: string, reason: string): GatewayError {
  return new GatewayError('invalid_request', `\`${field}\` ${reason}.`, { field });
}

function refuseReplacement({ currency, base, day, before }: ExchangeRateRow & { readonly before: string }): GatewayError {
  return new GatewayError(
    'conflict',
    `${currency} for one ${base} on ${day} was loaded as ${before}. Send \`replace\`: true to change what reports were made with.`,
    { field: 'replace' },
  );
}
