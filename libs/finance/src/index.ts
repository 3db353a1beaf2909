// This library turns exact usage into what finance books: other currencies, cost centres, mark-ups, invoices, closed months and budgets.
export { reportBudgets, type PlannedBudget } from './budgets/report-budgets';
export { findAdjustments } from './closing/find-adjustments';
export { sumAdjustments } from './closing/sum-adjustments';
export { NO_COST_CENTRES, type CostCentreRules } from './lines/assign-cost-centre';
export { sumCostCentres } from './cost-centres/sum-cost-centres';
export { isCurrency } from './currencies/currency';
export { createDayRates, dayKey, formatRate, RATE_DAYS_MAX, type DayRates } from './currencies/day-rates';
export { buildInvoice, creditInvoice, type InvoiceSums } from './invoices/build-invoice';
export { nameRecipient, selectLines } from './invoices/select-lines';
export type { ChargeLine } from './lines/charge-line';
export { decodeLine, encodeLine, type EncodedLine } from './lines/encode-line';
export { priceLines, type PricedLine } from './lines/priced-line';
export { createPriceList, type PriceList } from './price-list/price-list';
export { addMoney, listUsedRates, planMoneyQuery } from './reports/add-money';
export { listFinanceColumns } from './reports/finance-columns';
