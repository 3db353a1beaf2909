import { createMemoryFreeModelDays, createMemoryRateLimiter, type CountFreePlaces, type FreeModelDays } from '@weir/limits';
import { describeFreeModelDays } from './free-model-days.conformance';
import { describeRateLimiter } from './rate-limiter.conformance';

const rates = createMemoryRateLimiter({ now: () => performance.now() });
describeRateLimiter('memory', () => rates);

const processes = new Map<CountFreePlaces, Map<number, FreeModelDays>>();
describeFreeModelDays('memory', ({ countPlaces, keptMs }) => {
  const known = processes.get(countPlaces) ?? new Map<number, FreeModelDays>();
  processes.set(countPlaces, known);
  const days = known.get(keptMs) ?? createMemoryFreeModelDays({ countPlaces, keptMs, now: () => performance.now() });
  known.set(keptMs, days);
  return days;
});
