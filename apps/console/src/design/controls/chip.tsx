import { Icon } from '../icons';
import './controls.css';

type ChipProps = { readonly text: string; readonly onRemove: () => void };

/** A filter that applies, and can be taken away. */
export function Chip({ text, onRemove }: ChipProps) {
  return (
    <span className="chip">
      <span className="chip-text" data-tip={text}>
        {text}
      </span>
      <button type="button" className="chip-remove" aria-label={`Remove the filter ${text}`} onClick={onRemove}>
        <Icon name="close" size={14} />
      </button>
    </span>
  );
}
