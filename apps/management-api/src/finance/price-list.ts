import { priceListBody, type PriceListBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { createPriceList, type PriceList } from '@weir/finance';
import { readFinanceDocument } from '../records/finance-documents';

const WITHOUT_PRICES: PriceListBody = { entries: [] };

/** Where an organization's own prices are kept. */
export function priceListOf(organizationId: string) {
  return { organizationId, kind: 'price-list', schema: priceListBody, otherwise: WITHOUT_PRICES } as const;
}

/** The prices that an organization charges by now. */
export async function loadPriceList(tx: Prisma.TransactionClient, organizationId: string): Promise<PriceList> {
  const { document } = await readFinanceDocument(tx, priceListOf(organizationId));
  return createPriceList(document.entries);
}
