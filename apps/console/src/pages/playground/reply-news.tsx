/** Says a reply to screen readers once, when it has ended: piece by piece it could not be followed. */
export function ReplyNews({ news }: { readonly news: string }) {
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {news}
    </div>
  );
}
