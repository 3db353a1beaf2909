import { createMemoryFreeModelDays, createMemoryRateLimiter, type CountFreePlaces, type FreeModelDays } from '@weir/limits';
import { describeFreeModelDays } from './free-model-days.conformance';
import { describeRateLimiter } from './rate-limiter.conformance';

const rates = createMemoryRateLimiter({ now: () => performance.now() });
describeRateLimiter('memory', () => rates);

const days = new Map<CountFreePlaces, FreeModelDays>();
describeFreeModelDays('memory', (countPlaces) => {
  const known = days.get(countPlaces) ?? createMemoryFreeModelDays(countPlaces);
  days.set(countPlaces, known);
  return known;
});
