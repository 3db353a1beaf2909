import { useEffect, type ReactNode } from 'react';

type PageHeadProps = { readonly title: string; readonly about?: ReactNode; readonly actions?: ReactNode };

/** The heading of a page, which is the title of the window too. */
export function PageHead({ title, about, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Weir`;
  }, [title]);
  return (
    <div className="spread page-head">
      <div>
        <h1>{title}</h1>
        {about !== undefined && <p className="quiet">{about}</p>}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  );
}
