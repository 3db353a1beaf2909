import { createMemoryFreeModelDays, createMemoryRateLimiter, type CountFreeSlots, type FreeModelDays } from '@weir/limits';
import { describeFreeModelDays } from './free-model-days.conformance';
import { describeRateLimiter } from './rate-limiter.conformance';

const rates = createMemoryRateLimiter({ now: () => performance.now() });
describeRateLimiter('memory', () => rates);

const processes = new Map<CountFreeSlots, Map<number, FreeModelDays>>();
describeFreeModelDays('memory', ({ countSlots, keptMs }) => {
  const known = processes.get(countSlots) ?? new Map<number, FreeModelDays>();
  processes.set(countSlots, known);
  const days = known.get(keptMs) ?? createMemoryFreeModelDays({ countSlots, keptMs, now: () => performance.now() });
  known.set(keptMs, days);
  return days;
});
