/** A metric that some process serves: its kind (`counter`, `gauge`, `histogram`, or `part` of a histogram) and its labels. */
export type MadeMetric = { readonly kind: string; readonly labels: readonly string[] };
