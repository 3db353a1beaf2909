const KNOWN: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether it is the code of a currency, as ISO 4217 has them: in capitals. */
export function isCurrency(code: string): boolean {
  return KNOWN.has(code);
}

/** How many decimal places the smallest amount that is paid has: 2 of EUR, 0 of JPY, 3 of BHD. */
export function minorPlaces(code: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2;
}
