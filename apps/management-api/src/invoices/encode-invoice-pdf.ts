import type { InvoiceParty } from '@weir/contracts';
import type PDFDocument from 'pdfkit';
import type { InvoiceDocument } from './invoice-document';

type Pdf = InstanceType<typeof PDFDocument>;

const FONTS = { plain: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf', bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf' };
const MARGIN = 50;
/** Of A4, in points. */
const WIDTH = 595 - 2 * MARGIN;
const BOTTOM = 842 - MARGIN - 20;
const COUNT_AT = MARGIN + 250;
const SIZES = { title: 18, text: 9, small: 7.5 };

/**
 * An invoice as a page to send: what the document says and nothing else, with the document itself attached as JSON. The same
 * document makes the same bytes. Characters that the font lacks are boxes; the attached document has them.
 */
export async function encodeInvoicePdf(invoice: InvoiceDocument, issuedAt: Date): Promise<Buffer> {
  const title = `${invoice.kind === 'invoice' ? 'Invoice' : 'Credit note'} ${invoice.number ?? '(preview)'}`;
  const { default: Page } = await import('pdfkit'); // large, and seldom needed
  const pdf = new Page({
    ...{ size: 'A4', margin: MARGIN, bufferPages: true },
    info: {
      Title: title,
      Author: invoice.seller.name,
      Subject: `${invoice.total} ${invoice.currency}`,
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.once('end', resolve));
  pdf.registerFont('plain', require.resolve(FONTS.plain)).registerFont('bold', require.resolve(FONTS.bold));
  writeHead(pdf, invoice, title);
  writeLines(pdf, invoice);
  writeSums(pdf, invoice);
  writeNotes(pdf, invoice);
  numberPages(pdf, title);
  const attached = {
    name: `${invoice.number ?? 'invoice'}.json`,
    type: 'application/json',
    creationDate: issuedAt,
    modifiedDate: issuedAt,
  };
  pdf.file(Buffer.from(JSON.stringify(invoice)), attached);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function writeHead(pdf: Pdf, invoice: InvoiceDocument, title: string): void {
  const { seller, buyer, corrects } = invoice;
  pdf.font('bold').fontSize(SIZES.title).text(title, MARGIN, MARGIN, { width: WIDTH });
  pdf.moveDown(0.7);
  const top = pdf.y;
  writeParty(pdf, 'From', seller, { x: MARGIN, y: top });
  const ends = [pdf.y];
  writeParty(pdf, 'To', buyer, { x: MARGIN + WIDTH / 2, y: top });
  pdf.y = Math.max(...ends, pdf.y) + 12;
  const facts: [string, string][] = [
    ['Issued', invoice.issued_on],
    ...(invoice.kind === 'invoice' ? [['Due', invoice.due_on] as [string, string]] : []),
    ['Period', `${invoice.month} (UTC)`],
    ['For', describeRecipient(invoice)],
    ...(corrects === null ? [] : [['Takes back', `${corrects.number}: ${corrects.because}`] as [string, string]]),
  ];
  for (const [name, value] of facts) {
    const { y } = pdf;
    pdf.font('bold').fontSize(SIZES.text).text(name, MARGIN, y, { width: 70 });
    pdf.font('plain').text(value, MARGIN + 75, y, { width: WIDTH - 75 });
  }
  pdf.moveDown(1);
}

function writeParty(pdf: Pdf, heading: string, { name, address, tax_id: taxId, email }: InvoiceParty, at: { x: number; y: number }): void {
  const width = WIDTH / 2 - 10;
  pdf.font('plain').fontSize(SIZES.small).text(heading, at.x, at.y, { width });
  pdf.font('bold').fontSize(SIZES.text).text(name, at.x, pdf.y, { width });
  const more = [...address, ...(taxId === undefined ? [] : [`Tax id: ${taxId}`]), ...(email === undefined ? [] : [email])];
  for (const line of more) pdf.font('plain').text(line, at.x, pdf.y, { width });
}

function describeRecipient({ recipient }: InvoiceDocument): string {
  switch (recipient.kind) {
    case 'organization':
      return 'the whole organization';
    case 'group':
      return `group ${recipient.group_id}`;
    case 'label':
      return `${recipient.label}: ${recipient.value}`;
    case 'cost_centre':
      return `cost centre ${recipient.cost_centre}`;
  }
}

type Row = { readonly text: string; readonly count?: string; readonly amount: string; readonly isBold?: boolean };

/** A row stays whole: what does not fit goes on the next page. */
function writeRow(pdf: Pdf, { text, count = '', amount, isBold = false }: Row): void {
  pdf.font(isBold ? 'bold' : 'plain').fontSize(SIZES.text);
  const width = COUNT_AT - MARGIN - 10;
  const height = Math.max(pdf.heightOfString(text, { width }), pdf.currentLineHeight());
  if (pdf.y + height > BOTTOM) pdf.addPage();
  const { y } = pdf;
  pdf.text(text, MARGIN, y, { width });
  pdf.text(count, COUNT_AT, y, { width: 70, align: 'right' });
  pdf.text(amount, COUNT_AT + 75, y, { width: WIDTH - 325, align: 'right' });
  pdf.y = y + height + 3;
}

function writeRule(pdf: Pdf): void {
  pdf
    .moveTo(MARGIN, pdf.y)
    .lineTo(MARGIN + WIDTH, pdf.y)
    .lineWidth(0.5)
    .stroke();
  pdf.y += 4;
}

function writeLines(pdf: Pdf, { lines, currency, rounding }: InvoiceDocument): void {
  writeRow(pdf, { text: 'Usage', count: 'Requests', amount: `Amount, ${currency}`, isBold: true });
  writeRule(pdf);
  for (const { description, requests, amount } of lines) writeRow(pdf, { text: description, count: requests, amount });
  if (rounding !== '0') writeRow(pdf, { text: 'Rounding', amount: rounding });
  writeRule(pdf);
}

function writeSums(pdf: Pdf, { net, tax, total, currency }: InvoiceDocument): void {
  writeRow(pdf, { text: 'Net', amount: net });
  if (tax !== null) writeRow(pdf, { text: `${tax.name} ${tax.rate_percent} %`, amount: tax.amount });
  writeRow(pdf, { text: 'Total', amount: `${total} ${currency}`, isBold: true });
}

function writeNotes(pdf: Pdf, { note, rates, currency, charged_usd: charged }: InvoiceDocument): void {
  const first = rates[0];
  const last = rates.at(-1);
  const conversion =
    first === undefined || last === undefined
      ? []
      : [
          `${charged} USD, converted day by day: 1 USD is ${first.per_usd} ${currency} on ${first.day} and ${last.per_usd} ${currency} on ${last.day}. The attached document has every day.`,
        ];
  pdf.moveDown(1).font('plain').fontSize(SIZES.small);
  for (const text of [...(note === null ? [] : [note]), ...conversion]) pdf.text(text, MARGIN, pdf.y, { width: WIDTH }).moveDown(0.5);
}

/** Below the margin, where text would begin a page of its own. */
function numberPages(pdf: Pdf, title: string): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page);
    pdf.page.margins.bottom = 0;
    const text = `${title} · ${page - start + 1} of ${count}`;
    pdf
      .font('plain')
      .fontSize(SIZES.small)
      .text(text, MARGIN, BOTTOM + 30, { width: WIDTH, align: 'center', lineBreak: false });
  }
}
