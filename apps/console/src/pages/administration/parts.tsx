import type { ReactNode } from 'react';
import { Badge, Bar, CopyButton, ListExport, Money, Notice, Select, TextField } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { formatMoney, parseUsd } from '../../format/money';
import { formatCount } from '../../format/numbers';
import { compareSpending } from './amounts';
import { EXPIRIES, type ExpiryChoice } from './expiry';
import { listLabels } from './labels';
import './administration.css';

type SpendProps = {
  readonly spent: number;
  /** None or 0: unlimited. */
  readonly limit: number | undefined;
  /** The spent amount as a link to what it is made of. */
  readonly wrap?: (spent: ReactNode) => ReactNode;
};

/** This month's spending against its limit. */
export function SpendBar({ spent, limit, wrap = (amount) => amount }: SpendProps) {
  const compared = compareSpending(spent, limit);
  const figure = wrap(<Money amount={spent} />);
  if (compared === undefined) return <span className="administration-spend-figures">{figure}</span>;
  const text = `Spent ${formatMoney(parseUsd(spent))} of ${formatMoney(parseUsd(limit ?? 0))} this month`;
  return (
    <div className="administration-spend">
      <span className="administration-spend-figures">
        {figure}
        <span className="quiet">
          of <Money amount={limit ?? 0} />
        </span>
      </span>
      <Bar label={text} share={compared.share} kind={compared.kind} />
    </div>
  );
}

const SHOWN_LABELS = 2;

export function Labels({ labels, isWhole = false }: { readonly labels: Readonly<Record<string, string>>; readonly isWhole?: boolean }) {
  const all = listLabels(labels);
  const shown = isWhole ? all : all.slice(0, SHOWN_LABELS);
  const rest = all.slice(shown.length);
  return (
    <span className={isWhole ? 'administration-labels administration-labels-whole' : 'administration-labels'}>
      {shown.map((text) => (
        <Badge key={text}>{text}</Badge>
      ))}
      {rest.length > 0 && (
        <span className="quiet exact" data-tip={rest.join(', ')} tabIndex={0}>
          +{rest.length}
          <span className="visually-hidden"> more: {rest.join(', ')}</span>
        </span>
      )}
    </span>
  );
}

/** A secret that is shown once. */
export function Secret({ secret, label, children }: { readonly secret: string; readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <Notice kind="warn">{children}</Notice>
      <div className="administration-secret">
        <code>{secret}</code>
        <CopyButton text={secret} label={label} />
      </div>
    </>
  );
}

type ExpiryProps = {
  readonly value: ExpiryChoice;
  readonly onChange: (value: ExpiryChoice) => void;
  readonly error: string | undefined;
};

export function ExpiryField({ value, onChange, error }: ExpiryProps) {
  const isDate = value.choice === 'date';
  return (
    <div className="stack">
      <Select
        label="Expires"
        value={value.choice}
        options={EXPIRIES}
        error={isDate ? undefined : error}
        onChange={(choice) => onChange({ ...value, choice })}
      />
      {isDate && (
        <TextField
          label="Last day, UTC"
          type="date"
          value={value.date}
          error={error}
          onChange={(event) => onChange({ ...value, date: event.target.value })}
        />
      )}
    </div>
  );
}

/** What was refused, where no field of the form is at fault. */
export function FormError({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <Notice kind="bad">{text}</Notice>;
}

type ListFootProps<Row> = {
  readonly name: string;
  readonly shown: readonly Row[];
  readonly all: readonly Row[];
  readonly columns: readonly CsvColumn<Row>[];
};

/** How many rows there are, and the way to take them along. */
export function ListFoot<Row>({ name, shown, all, columns }: ListFootProps<Row>) {
  const count = shown.length < all.length ? `${formatCount(shown.length)} of ${formatCount(all.length)}` : formatCount(all.length);
  return (
    <div className="spread">
      <p className="quiet" role="status">
        {count} {all.length === 1 ? name.replace(/s$/, '') : name}
      </p>
      <ListExport name={name} columns={columns} rows={shown} />
    </div>
  );
}
