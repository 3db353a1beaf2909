import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorState } from '../design';

/** Where a page broke. The rest of the console goes on. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <div className="panel">
      <ErrorState error={error} onRetry={retry} />
    </div>
  );
}
