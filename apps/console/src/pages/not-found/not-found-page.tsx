import { Link } from '@tanstack/react-router';
import { EmptyState, PageHead } from '../../design';

export function NotFoundPage() {
  return (
    <>
      <PageHead title="Page not found" />
      <div className="panel">
        <EmptyState
          title="There is no page at this address"
          text="It may have been moved, or the link is cut off."
          action={<Link to="/">To the overview</Link>}
        />
      </div>
    </>
  );
}
