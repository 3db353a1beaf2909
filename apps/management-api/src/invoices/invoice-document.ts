import type { InvoiceParty, InvoiceRecipient } from '@weir/contracts';
import type { InvoiceSums } from '@weir/finance';

/** An invoice or a credit note as it is kept and shown. Amounts are decimal text. */
export type InvoiceDocument = InvoiceSums & {
  /** Null of a preview. */
  readonly number: string | null;
  readonly kind: 'invoice' | 'credit_note';
  /** Of a credit note: what it takes back, and why. */
  readonly corrects: { readonly id: string; readonly number: string; readonly because: string } | null;
  /** UTC days. */
  readonly issued_on: string;
  readonly due_on: string;
  readonly month: string;
  readonly recipient: InvoiceRecipient;
  readonly seller: InvoiceParty;
  readonly buyer: InvoiceParty;
  readonly note: string | null;
};

const DIGITS = 6;

/** How a number of a series is written: `INV-000042`. */
export function writeNumber(series: string, number: number): string {
  return `${series}-${String(number).padStart(DIGITS, '0')}`;
}
