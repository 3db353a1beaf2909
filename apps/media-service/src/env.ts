import { bodyLimitEnv, httpEnv, passportEnv, telemetryEnv } from '@weir/config';
import { z } from 'zod';

export const mediaServiceEnv = z.object({
  ...httpEnv(4002).shape,
  ...bodyLimitEnv.shape,
  ...passportEnv.shape,
  ...telemetryEnv.shape,
});
