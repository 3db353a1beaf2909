import { createDoubtLog } from './create-doubt-log';

const COUNTED = { reported: { in: 9 }, charged: { in: 1 } };

it('logs each broken counter at once, and then once a minute how often it was seen', () => {
  const reported: object[] = [];
  let now = 0;
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (facts: object, message: string) => void reported.push({ ...facts, message }),
  };
  const report = createDoubtLog(log, () => now, 'a counter is broken');
  const doubt = (modelId: string, eventId: string, providerId = 'p'): void => report({ eventId, modelId, providerId }, COUNTED);

  doubt('a', '1');
  doubt('a', '2');
  doubt('b', '3');
  doubt('a', '4', 'q');
  expect(reported).toMatchObject([
    { modelId: 'a', providerId: 'p', eventId: '1', ...COUNTED, count: 1, message: 'a counter is broken' },
    { modelId: 'b', count: 1 },
    { modelId: 'a', providerId: 'q', count: 1 },
  ]);

  now = 59_999;
  doubt('a', '5');
  now = 60_000;
  doubt('a', '6');
  doubt('a', '7');
  expect(reported.slice(3)).toMatchObject([{ modelId: 'a', eventId: '6', count: 3 }]);
});
