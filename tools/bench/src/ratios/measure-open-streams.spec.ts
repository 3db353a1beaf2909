import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countStreamsMost } from './measure-open-streams';
import { parseChartFlags, parseManifestFlags } from './start-distributed-target';

describe('countStreamsMost', () => {
  it('takes two descriptors for a stream and leaves some', () => {
    const limits =
      'Limit                     Soft Limit           Hard Limit           Units\nMax open files            20000                524288               files\n';

    expect(countStreamsMost(limits)).toBe(9_500);
    expect(countStreamsMost('Max open files            unlimited            unlimited            files')).toBe(Infinity);
    expect(countStreamsMost('Max open files            1024            1024            files')).toBe(12);
  });
});

describe('parseManifestFlags', () => {
  it('is what a manifest gives the engine', () => {
    expect(parseManifestFlags("env:\n  - { name: NODE_OPTIONS, value: '--max-old-space-size=1024 --max-semi-space-size=64' }\n")).toBe(
      '--max-old-space-size=1024 --max-semi-space-size=64',
    );
    expect(parseManifestFlags('env: []')).toBe('');
  });

  it('is what the chart gives it, for each service its own', () => {
    const values = readFileSync(join(__dirname, '../../../../k8s/chart/values.yaml'), 'utf8');

    expect(parseChartFlags(values, 'edge-router')).toBe('--max-old-space-size=1024 --max-semi-space-size=64');
    expect(parseChartFlags(values, 'media-service')).toBe('--max-old-space-size=1024');
    expect(parseChartFlags(values, 'no-service')).toBe('');
  });
});
