import { CopyButton } from '../../design';
import type { Generation } from './request-page';

/** The reply of the interface as it came. */
export function RawPanel({ generation }: { readonly generation: Generation }) {
  const text = JSON.stringify(generation, null, 2);
  return (
    <details className="panel request-raw">
      <summary>JSON of the interface</summary>
      <div className="request-raw-copy">
        <CopyButton text={text} label="Copy the JSON" />
      </div>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}
