import { describeWithFixtures } from '@weir/testing';
import { readPart, updatePart } from '../page/fidelity-page';
import { listRequests } from './corpus/list-requests';
import { PROGRAM_FOLDER } from './published/check-bodies';
import { checkRequests, type CheckResult } from './published/check-requests';
import { describe as describeDeviation, KNOWN_DEVIATIONS } from './published/known-deviations';
import { MODELS } from './published/models';
import { renderResult } from './published/render-result';
import { listPublishedTypes } from './published/vendor-types';
import { WRONG_BODIES } from './published/wrong-bodies';
import { createLaneRunner } from './run-lane';

describeWithFixtures('requests against the vendors’ published types', () => {
  const published = listPublishedTypes(PROGRAM_FOLDER);
  const names = Object.keys(published);
  let result: CheckResult;
  let page = '';

  beforeAll(() => {
    const requests = listRequests();
    result = checkRequests(createLaneRunner(), requests, MODELS);
    page = renderResult(requests, result, published);
    updatePart('published types', page);
  }, 300_000);

  it.each(names)('sends no member to %s that its types do not know', (name) => {
    const own = result.bodies.filter(({ types }) => types === name);

    expect(own.length).toBeGreaterThan(50);
    expect(result.failures.filter(({ sent }) => sent.types === name).map(report)).toEqual([]);
  });

  it.each(MODELS)('encodes most requests for %s', (model) => {
    const { accepted, refused } = result.asked[model] ?? { accepted: 0, refused: 0 };
    expect(accepted).toBeGreaterThan(3 * refused);
  });

  it('lists no known deviation that does not occur any more', () => {
    const seen = new Set(result.explained.map(({ by }) => by.name));
    expect([...seen].sort()).toEqual(KNOWN_DEVIATIONS.map(({ name }) => name).sort());
  });

  it.each(names)('finds what is wrong with bodies for %s', (name) => {
    const { wrong } = WRONG_BODIES[name] ?? { wrong: [] };
    const found = result.inWrong[name] ?? [];

    expect(wrong.length).toBeGreaterThan(0);
    expect(found.filter(({ body }) => body === 0)).toEqual([]);
    for (const [index, [path]] of wrong.entries()) {
      expect(found.filter(({ body }) => body === index + 1).map((deviation) => deviation.path)).toContain(path);
    }
  });

  it('is what docs/fidelity.md shows', () => {
    expect(readPart('published types')).toBe(page);
  });
});

function report({ sent, deviation }: CheckResult['failures'][number]): string {
  return `${sent.providerId} ${sent.upstreamModel} (${sent.lane}) | ${sent.request.name} | ${describeDeviation(deviation).slice(0, 300)}`;
}
