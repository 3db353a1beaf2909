/** One line of a panel: what it asks Prometheus, and how the line is called. */
export type Query = {
  readonly expr: string;
  readonly legend: string;
  /** Its dots lead to single requests: of histograms with exemplars. */
  readonly hasExemplars?: boolean;
};

/** As Grafana names units. */
type Unit = 'reqps' | 's' | 'short' | 'bytes' | 'Bps' | 'percentunit' | 'currencyUSD';

export type Panel = {
  readonly kind: 'graph' | 'number';
  readonly title: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** What is not plain from the title. */
  readonly about?: string;
  /** Of a number: red from here on; null: never. */
  readonly redFrom?: number | null;
};

export type Board = {
  readonly name: string;
  readonly title: string;
  readonly from: string;
  /** Labels of which the reader chooses values: `$provider`. */
  readonly choices?: readonly { readonly label: string; readonly metric: string }[];
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
};

export function query(expr: string, legend: string): Query {
  return { expr, legend };
}

export function graph(title: string, unit: Unit, queries: Query | readonly Query[], about?: string): Panel {
  const shown = { kind: 'graph', title, unit, queries: 'expr' in queries ? [queries] : queries } as const;
  return about === undefined ? shown : { ...shown, about };
}

type NumberOptions = { readonly unit?: Unit; readonly redFrom?: number | null; readonly about?: string };

/** One number, red from the smallest amount on unless it is said otherwise. */
export function number(title: string, expr: string, { unit = 'short', redFrom = 1e-6, about }: NumberOptions = {}): Panel {
  const shown = { kind: 'number', title, unit, queries: [query(expr, '')], redFrom } as const;
  return about === undefined ? shown : { ...shown, about };
}

type Times = {
  readonly metric: string;
  readonly by?: string;
  /** Conditions on labels, without braces. */
  readonly where?: string;
  readonly shares?: readonly number[];
  readonly hasExemplars?: boolean;
};

/** Percentiles of a histogram of seconds. */
export function percentiles({ metric, by, where = '', shares = [0.5, 0.95, 0.99], hasExemplars = false }: Times): Query[] {
  const labels = by === undefined ? 'le' : `le, ${by}`;
  const name = by === undefined ? '' : ` {{${by}}}`;
  return shares.map((share) => ({
    expr: `histogram_quantile(${share}, sum by (${labels}) (rate(${metric}_bucket${where === '' ? '' : `{${where}}`}[5m])))`,
    legend: `p${share * 100}${name}`,
    ...(hasExemplars ? { hasExemplars } : {}),
  }));
}
