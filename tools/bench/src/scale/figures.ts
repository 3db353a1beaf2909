/** One figure of the model: what it is, and where it comes from. */
type Figure = { readonly value: number; readonly unit: string; readonly about: string; readonly from: string };

/** Measured on two cores, the last time; every one of them can be replaced (`--figures`). Times are CPU microseconds. */
export const MEASURED = {
  oneProcessUs: { value: 264, unit: 'µs', about: 'a whole request, all in one process', from: '`npm run bench`' },
  oneProcessAllUs: { value: 306, unit: 'µs', about: 'the same with its Postgres', from: '`npm run bench`' },
  edgeUs: { value: 360, unit: 'µs', about: 'a whole request at the edge, apart', from: '`npm run bench:ratios -- --only apart`' },
  workerUs: { value: 410, unit: 'µs', about: 'a whole request at a worker, apart', from: '`npm run bench:ratios -- --only apart`' },
  limitsEdgeUs: { value: 20, unit: 'µs', about: 'admission with six limits, at the edge', from: '`node tools/bench/dist/limits/main.js`' },
  admitRedisUs: { value: 84, unit: 'µs', about: 'the same, in the Redis server', from: '`node tools/bench/dist/limits/main.js`' },
  settleRedisUs: { value: 44, unit: 'µs', about: 'settling it, in the Redis server', from: '`node tools/bench/dist/limits/main.js`' },
  foldPerSecond: {
    value: 14_129,
    unit: 'events/s',
    about: 'one aggregator with Kafka and Postgres on the same two cores',
    from: '`node tools/bench/dist/pipeline/main.js drain`',
  },
  aggregatorUs: { value: 45, unit: 'µs', about: 'an event in the aggregator', from: '`node tools/bench/dist/pipeline/main.js drain`' },
  postgresUs: { value: 33, unit: 'µs', about: 'an event in Postgres', from: '`node tools/bench/dist/pipeline/main.js drain`' },
  postgresEventsMax: {
    value: 30_685,
    unit: 'events/s',
    about: 'the most that one Postgres took, on two cores without Kafka',
    from: '`node tools/bench/dist/usage/main.js fold`',
  },
  eventRowBytes: {
    value: 1_455,
    unit: 'bytes',
    about: 'an event in Postgres, with its indexes',
    from: '`node tools/bench/dist/usage/main.js fold --json`',
  },
  eventBytes: { value: 1_040, unit: 'bytes', about: 'a usage event as JSON', from: 'events of the bench' },
  journalBytes: {
    value: 1_500,
    unit: 'bytes',
    about: 'an attempt in the journal of a worker',
    from: '[decision 18](decisions/0018-ends-without-their-beginnings.md)',
  },
} as const satisfies Record<string, Figure>;

/** What no bench can know. */
export const ASSUMED = {
  requestsPerEvent: {
    value: 1,
    unit: '',
    about: 'requests for each usage event, of which every attempt makes one: less than 1 where attempts fail',
    from: 'no fallbacks',
  },
  load: { value: 0.5, unit: '', about: 'how much of each part is used at the peak', from: 'plan with half' },
  meanOfPeak: {
    value: 0.4,
    unit: '',
    about: 'requests of a month over what there would be at the peak all the time',
    from: 'office hours',
  },
  eventDays: { value: 45, unit: 'days', about: 'events are kept in Postgres', from: '`USAGE_EVENT_RETENTION_DAYS`' },
  kafkaDays: { value: 35, unit: 'days', about: 'events are kept in Kafka', from: '`tools/kafka`' },
  kafkaCopies: { value: 3, unit: '', about: 'copies in Kafka', from: '`--replication-factor`' },
  kafkaPacked: { value: 0.2, unit: '', about: 'bytes in Kafka over bytes of JSON', from: 'to be measured with your events' },
  outageHours: { value: 4, unit: 'hours', about: 'an outage of Kafka that journals outlast at the peak', from: 'your choice' },
  partitionsLeast: { value: 32, unit: '', about: 'partitions that topics are made with', from: '`tools/kafka`' },
  coreMonthUsd: { value: 25, unit: 'USD', about: 'a core for a month', from: 'your provider' },
  gibMonthUsd: { value: 0.1, unit: 'USD', about: 'a GiB of block storage for a month', from: 'your provider' },
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof MEASURED | keyof typeof ASSUMED;
export type Figures = Readonly<Record<FigureName, number>>;

export function defaultFigures(): Figures {
  const all = Object.entries({ ...MEASURED, ...ASSUMED }).map(([name, { value }]) => [name, value]);
  return Object.fromEntries(all) as Figures;
}

/** Figures of one's own over those of this page. Throws `RangeError` for a name that is none, and for what is no number above zero. */
export function readFigures(given: unknown): Figures {
  const figures = defaultFigures();
  if (typeof given !== 'object' || given === null) throw new RangeError('figures are an object of names and numbers');
  for (const [name, value] of Object.entries(given)) {
    if (!(name in figures)) throw new RangeError(`${name} is no figure; there are ${Object.keys(figures).join(', ')}`);
    if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) throw new RangeError(`${name} is to be a number above zero`);
  }
  return { ...figures, ...(given as Partial<Figures>) };
}

/** What `npm run bench -- --json` has written: CPU of a whole request in one process, alone and with its database. */
export function figuresOfBench(written: unknown): Partial<Figures> {
  const rows = (written as { rows?: readonly BenchRow[] } | null)?.rows ?? [];
  const whole = rows.find(({ name }) => name === 'gateway');
  if (typeof whole?.cpuMicroseconds !== 'number') throw new RangeError('the bench has not measured the cell "gateway"');
  const all = whole.cpuMicroseconds + (whole.childrenCpuMicroseconds ?? 0);
  return { oneProcessUs: whole.cpuMicroseconds, oneProcessAllUs: all };
}

type BenchRow = { readonly name: string; readonly cpuMicroseconds: number | null; readonly childrenCpuMicroseconds: number | null };
