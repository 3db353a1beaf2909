import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultFigures, figuresOfBench, readFigures } from './figures';
import { listCosts, listWalls, planScale } from './plan-scale';
import { writeTables, type ScaleTables } from './write-tables';

const PAGE = join(__dirname, '..', '..', '..', '..', 'docs', 'scale.md');
const figures = defaultFigures();

/** The page with every table as the program writes it. */
function fillTables(page: string, tables: ScaleTables): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const begin = `<!-- table ${name}: npm run scale; written by UPDATE_DOCS=1 npx jest --selectProjects unit -- tools/bench/src/scale -->\n\n`;
    const end = `\n<!-- end of ${name} -->`;
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`the page has no place for the table ${name}`);
    return text.slice(0, from) + begin + table + text.slice(to);
  }, page);
}

describe('what a rate of requests needs', () => {
  it('is in docs/scale.md as the program prints it', () => {
    const written = fillTables(readFileSync(PAGE, 'utf8'), writeTables(figures));
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, written);

    expect(readFileSync(PAGE, 'utf8')).toBe(written);
  });

  it('follows from the figures by hand', () => {
    const plan = planScale(10_000, figures);

    // 10,000 requests of 380 µs are 3.8 cores at full load, 7.6 at half.
    expect(plan).toMatchObject({ edgeCores: 8, workerCores: 9, redisNodes: 3, aggregators: 2, partitions: 32, postgresPrimaries: 1 });
    expect(plan.kafkaBytesPerSecond).toBe(10_400_000);
    expect(plan.eventsPerMonth).toBe(10_000 * 86_400 * 30 * 0.4);
    expect(listWalls(figures).find(({ part }) => part === 'one node of Redis')?.most).toBe(1e6 / 128);
    expect(planScale(200_000, figures).partitions).toBe(64);
  });

  it('costs a million requests what the plan of a month costs for so many', () => {
    const rate = 100_000;
    const { monthUsd, eventsPerMonth, journalBytes } = planScale(rate, figures);
    const perMillion = listCosts(figures).reduce((sum, each) => sum + each.usdPerMillion, 0);
    const withoutJournals = monthUsd - (journalBytes / 2 ** 30) * figures.gibMonthUsd;

    expect((withoutJournals / eventsPerMonth) * 1e6).toBeCloseTo(perMillion, 1);
  });

  it('grows with every figure that grows', () => {
    for (const name of ['edgeUs', 'workerUs', 'admitRedisUs', 'aggregatorUs', 'postgresUs', 'eventRowBytes', 'coreMonthUsd'] as const)
      expect(planScale(10_000, { ...figures, [name]: figures[name] * 2 }).monthUsd).toBeGreaterThan(planScale(10_000, figures).monthUsd);
  });

  it('takes figures of one’s own, and those that the bench has written; refuses what is none', () => {
    const rows = [{ name: 'gateway', cpuMicroseconds: 250, childrenCpuMicroseconds: 40 }];

    expect(figuresOfBench({ rows })).toEqual({ oneProcessUs: 250, oneProcessAllUs: 290 });
    expect(readFigures({ edgeUs: 1 })).toEqual({ ...figures, edgeUs: 1 });
    expect(() => readFigures({ edgeMs: 1 })).toThrow(/edgeMs is no figure/);
    expect(() => readFigures({ edgeUs: '1' })).toThrow(RangeError);
    expect(() => figuresOfBench({ rows: [] })).toThrow(/gateway/);
  });
});
