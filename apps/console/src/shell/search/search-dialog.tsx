import * as Radix from '@radix-ui/react-dialog';
import { useNavigate, type NavigateOptions } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Icon } from '../../design/icons';
import { isSecret, moveChoice, type Found, type FoundGroup } from './find-here';
import { useFound } from './use-found';
import './search.css';

type DialogProps = { readonly onClose: () => void };

/** Finds pages, keys, groups, members, models, policies and requests, and leads there. */
export function SearchDialog({ onClose }: DialogProps) {
  const isLeaving = useRef(false);
  const navigate = useNavigate();
  const go = ({ place }: Found): void => {
    isLeaving.current = true;
    onClose();
    void navigate(place as NavigateOptions);
  };
  return (
    <Radix.Root open onOpenChange={(opens) => !opens && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="veil" />
        <Radix.Content
          className="search"
          aria-describedby={undefined}
          // A page that is gone to has the focus; only who stays gets it back to where it was.
          onCloseAutoFocus={(event) => isLeaving.current && event.preventDefault()}
        >
          <Radix.Title className="visually-hidden">Search everywhere</Radix.Title>
          <SearchBox onChoose={go} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function SearchBox({ onChoose }: { readonly onChoose: (found: Found) => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { groups, isLooking, isPartial } = useFound(text);
  const options = groups.flatMap(({ found }) => found);
  const at = Math.min(chosen, options.length - 1);
  const current = options[at];
  const press = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move !== undefined) setChosen(moveChoice(at, move, options.length));
    else if (event.key === 'Enter' && current !== undefined && !event.nativeEvent.isComposing) onChoose(current);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="search-field">
        <Icon name="search" />
        <input
          className="search-input"
          type="text"
          role="combobox"
          aria-label="Search everywhere"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current === undefined ? undefined : `${id}-${at}`}
          placeholder="A page, key, group, member, model or request id …"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={press}
        />
        <Radix.Close className="search-close">Esc</Radix.Close>
      </div>
      <Options id={id} groups={groups} at={at} onPoint={setChosen} onChoose={onChoose} />
      <Status text={text} count={options.length} isLooking={isLooking} isPartial={isPartial} />
    </>
  );
}

type OptionsProps = {
  readonly id: string;
  readonly groups: readonly FoundGroup[];
  readonly at: number;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (found: Found) => void;
};

function Options({ id, groups, at, onPoint, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, groups]);
  const starts = groups.map((_, index) => groups.slice(0, index).reduce((sum, { found }) => sum + found.length, 0));
  return (
    <div className="search-list" id={`${id}-list`} role="listbox" aria-label="Results" ref={list} tabIndex={-1}>
      {groups.map(({ label, found }, index) => (
        <div key={label} role="group" aria-label={label}>
          <div className="search-heading" aria-hidden="true">
            {label}
          </div>
          {found.map((one, within) => {
            const place = (starts[index] ?? 0) + within;
            return (
              <div
                key={one.id}
                id={`${id}-${place}`}
                role="option"
                aria-selected={place === at}
                className="search-option"
                onMouseMove={() => place !== at && onPoint(place)}
                onClick={() => onChoose(one)}
              >
                <Icon name={one.icon} />
                <span className="search-text">{one.text}</span>
                {one.more !== undefined && one.more !== '' && <span className="search-more quiet">{one.more}</span>}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

type StatusProps = { readonly text: string; readonly count: number; readonly isLooking: boolean; readonly isPartial: boolean };

/** Said to screen readers as it changes. */
function Status({ text, count, isLooking, isPartial }: StatusProps) {
  return (
    <div className="search-status quiet" role="status">
      {describeStatus({ text: text.trim(), count, isLooking, isPartial })}
    </div>
  );
}

function describeStatus({ text, count, isLooking, isPartial }: StatusProps): string {
  if (isSecret(text)) return 'This looks like a secret: it is not sent anywhere. Find keys by their name or their last four characters.';
  if (text.length === 1) return 'Two characters find more than pages.';
  if (isLooking) return 'Looking …';
  const partial = isPartial ? ' Not everything could be searched.' : '';
  if (count === 0) return `Nothing found.${partial}`;
  return `${count} ${count === 1 ? 'result' : 'results'}. Arrow keys choose, Enter opens.${partial}`;
}
