import { QueryClient } from '@tanstack/react-query';
import { toApiError } from './api-error';

const RETRIES = 2;

/** What the gateway has decided stays decided; only a connection or an overload is worth another try. */
function isWorthRetrying(failures: number, thrown: unknown): boolean {
  const { status } = toApiError(thrown);
  return failures < RETRIES && (status === 0 || status === 429 || status >= 502);
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, retry: isWorthRetrying, throwOnError: false } },
});
