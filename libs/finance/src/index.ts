// This library turns exact usage into what finance books: other currencies, cost centres, mark-ups, invoices, closed months and budgets.
export { isCurrency } from './currencies/currency';
export { createDayRates, dayKey, formatRate, RATE_DAYS_MAX, type DayRates } from './currencies/day-rates';
export { addMoney, planMoneyQuery } from './reports/add-money';
export { listCurrencyColumns } from './reports/currency-columns';
