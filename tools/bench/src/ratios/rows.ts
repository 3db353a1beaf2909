import { slopeOf } from './arithmetic';
import { FEW_FRAMES, LOADS, MANY_FRAMES, type Load } from './loads';
import { ALL_CORES, COUNTS, ONE_PROCESS, OPEN_STREAMS, type Values } from './samples';

/** Reads one value of one load, of the target and round that a row is made for. */
export type Read = (load: string, value: keyof Values) => number | null;

/** Of how a row compares: times the relay; over the relay; by itself; times what one process did before. */
type Judged = 'ratio' | 'over' | 'value' | 'gain';

export type Row = {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly judged: Judged;
  /** What is to be reached. */
  readonly target: { readonly most: number } | { readonly least: number };
  readonly read: (read: Read) => number | null;
  /** Of a gain: what it is a gain over. */
  readonly readBase?: (read: Read) => number | null;
  readonly phase: PhaseName;
  readonly loads: readonly Load[];
};

export type PhaseName = 'beside' | 'apart' | 'counts' | 'cores' | 'streams';

const US = 'µs';

function costs(load: Load, value: 'serving' | 'all' = 'serving'): Pick<Row, 'unit' | 'judged' | 'read' | 'phase' | 'loads'> {
  return { unit: US, judged: 'ratio', read: (read) => read(load.name, value), phase: 'beside', loads: [load] };
}

function costsFrame(few: Load, many: Load): Pick<Row, 'unit' | 'judged' | 'read' | 'phase' | 'loads'> {
  return {
    unit: US,
    judged: 'over',
    read: (read) => slopeOf(read(few.name, 'serving'), read(many.name, 'serving'), MANY_FRAMES - FEW_FRAMES),
    phase: 'beside',
    loads: [few, many],
  };
}

function takes(load: Load, value: 'p50Ms' | 'p99Ms'): Pick<Row, 'unit' | 'judged' | 'read' | 'phase' | 'loads'> {
  return { ...costs(load), unit: 'ms', read: (read) => read(load.name, value) };
}

function isCounted(phase: PhaseName, load: string, value: keyof Values): Pick<Row, 'judged' | 'read' | 'phase' | 'loads'> {
  return { judged: 'value', read: (read) => read(load, value), phase, loads: [] };
}

/** Every row of the table, with what is to be reached. */
export const ROWS: readonly Row[] = [
  { name: 'whole', title: 'whole reply, serving process', target: { most: 2.4 }, ...costs(LOADS.whole) },
  { name: 'whole-all', title: 'whole reply, all processes and Postgres', target: { most: 3.2 }, ...costs(LOADS.whole, 'all') },
  { name: 'paced', title: 'whole reply, paced at 1,000 a second', target: { most: 2 }, ...costs(LOADS.paced) },
  { name: 'stream', title: 'stream of 100 frames, passed through', target: { most: 1.7 }, ...costs(LOADS.stream) },
  { name: 'frame', title: 'a frame passed through, over the relay', target: { most: 1 }, ...costsFrame(LOADS.few, LOADS.many) },
  { name: 'translated', title: 'stream of 100 frames, translated', target: { most: 2.6 }, ...costs(LOADS.translated) },
  {
    name: 'translated-frame',
    title: 'a frame translated, over the relay',
    target: { most: 3 },
    ...costsFrame(LOADS.translatedFew, LOADS.translatedMany),
  },
  { name: 'p50', title: 'one connection, p50', target: { most: 1.4 }, ...takes(LOADS.one, 'p50Ms') },
  { name: 'p99', title: 'one connection, p99', target: { most: 1.5 }, ...takes(LOADS.one, 'p99Ms') },
  { name: 'big', title: 'prompt of 100,000 tokens (400 KB)', target: { most: 1.5 }, ...costs(LOADS.big) },
  {
    ...{ name: 'apart', title: 'edge and worker apart, both together', unit: US, judged: 'ratio', target: { most: 3.6 }, phase: 'apart' },
    read: (read) => read(LOADS.apart.name, 'all'),
    loads: [LOADS.apart],
  },
  { name: 'promises', title: 'promises a request', unit: '', target: { most: 6 }, ...isCounted('counts', COUNTS, 'promises') },
  { name: 'allocated', title: 'allocated a request', unit: 'KB', target: { most: 30 }, ...isCounted('counts', COUNTS, 'kilobytes') },
  {
    ...{ name: 'cores', title: 'all cores, over one process before', unit: 'requests/s', judged: 'gain', target: { least: 3 } },
    read: (read) => read(ALL_CORES, 'perSecond'),
    readBase: (read) => read(ONE_PROCESS, 'perSecond'),
    phase: 'cores',
    loads: [],
  },
  {
    ...{ name: 'stream-memory', title: 'an open stream, over rest', unit: 'KB', target: { most: 45 } },
    ...isCounted('streams', OPEN_STREAMS, 'streamKilobytes'),
  },
  {
    ...{ name: 'stalled', title: 'open streams that stalled', unit: 'streams', target: { most: 0 } },
    ...isCounted('streams', OPEN_STREAMS, 'stalled'),
  },
];
