import { readText, readWord } from '../../search-text';

export const MONEY_TABS = ['balance', 'months', 'alerts', 'estimate'] as const;
type MoneyTab = (typeof MONEY_TABS)[number];

export type MoneySearch = { readonly tab?: MoneyTab; readonly month?: string };

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export function readMoneySearch(search: Record<string, unknown>): MoneySearch {
  const tab = readWord(search['tab'], MONEY_TABS);
  const month = readText(search['month']);
  return { ...(tab === undefined ? {} : { tab }), ...(month !== undefined && MONTH.test(month) ? { month } : {}) };
}
