import type { ReactNode } from 'react';
import { Badge, CopyButton, Exact, Money, type Column } from '../../design';
import { formatCount, formatMilliseconds, formatShortCount } from '../../format/numbers';
import { formatUtc } from '../../format/times';
import { describeStatus, describeVerdict } from './filter-words';
import type { RequestLine } from './merge-lines';

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** `isNew` is of requests that came while the list was open. */
export function listColumns(isNew: (line: RequestLine) => boolean): readonly Column<RequestLine>[] {
  return [
    { id: 'time', head: 'Time', width: 196, cell: (line) => <Moment line={line} isNew={isNew(line)} /> },
    { id: 'status', head: 'Status', width: 118, cell: (line) => <Status line={line} /> },
    { id: 'model', head: 'Model', width: 226, cell: (line) => <Models line={line} /> },
    { id: 'key', head: 'Key', width: 124, cell: (line) => <Key line={line} /> },
    { id: 'input', head: 'Tokens in', width: 84, isNumber: true, cell: (line) => <Input line={line} /> },
    { id: 'output', head: 'Out', width: 66, isNumber: true, cell: ({ tokens }) => <Count count={tokens.output} /> },
    { id: 'cost', head: 'Cost', width: 96, isNumber: true, cell: ({ cost }) => <Money amount={cost} /> },
    { id: 'duration', head: 'Duration', width: 88, isNumber: true, cell: ({ milliseconds }) => <Duration milliseconds={milliseconds} /> },
    {
      id: 'first-byte',
      head: 'First byte',
      width: 88,
      isNumber: true,
      cell: (line) => <Duration milliseconds={line.first_byte_milliseconds} />,
    },
    { id: 'attempts', head: 'Attempts', width: 80, isNumber: true, cell: ({ attempts }) => formatCount(attempts) },
    { id: 'guardrail', head: 'Guardrail', width: 100, cell: (line) => <Verdict line={line} /> },
    {
      id: 'id',
      head: <span className="visually-hidden">Copy</span>,
      width: 56,
      cell: ({ id }) => <CopyButton text={id} label="Copy the request id" />,
    },
  ];
}

type LineProps = { readonly line: RequestLine };

function Moment({ line, isNew }: LineProps & { readonly isNew: boolean }) {
  const moment = new Date(line.admitted_at);
  return (
    <span className="requests-line number">
      <time dateTime={line.admitted_at} data-tip={formatUtc(moment)}>
        {DAY.format(moment)}, {CLOCK.format(moment)}
      </time>
      {isNew && <span className="requests-new">new</span>}
    </span>
  );
}

function Status({ line }: LineProps) {
  const { text, kind, about } = describeStatus(line.status);
  return <Tipped tip={about} node={<Badge kind={kind}>{text}</Badge>} />;
}

function Verdict({ line }: LineProps) {
  const { text, kind, about } = describeVerdict(line.guardrail);
  const isQuiet = line.guardrail === null || line.guardrail === 'not_scanned' || line.guardrail === 'passed';
  return <Tipped tip={about} node={isQuiet ? <span className="quiet">{text}</span> : <Badge kind={kind}>{text}</Badge>} />;
}

function Tipped({ tip, node }: { readonly tip: string; readonly node: ReactNode }) {
  return (
    <span className="requests-line" data-tip={tip}>
      {node}
    </span>
  );
}

function Models({ line }: LineProps) {
  const { model, model_requested: requested } = line;
  if (model === requested)
    return (
      <span className="requests-line" data-tip={model}>
        {model}
      </span>
    );
  return (
    <span className="requests-line" data-tip={`Requested ${requested}, used ${model}`}>
      <span className="quiet">{requested} →</span> {model}
    </span>
  );
}

function Key({ line }: LineProps) {
  return <span className="requests-line">{line.api_key_name ?? <span className="quiet">{line.api_key_id.slice(0, 8)}</span>}</span>;
}

function Input({ line: { tokens } }: LineProps) {
  if (tokens.cached_input === 0) return <Count count={tokens.input} />;
  return (
    <span
      className="number exact"
      data-tip={`${formatCount(tokens.input)}, and ${formatCount(tokens.cached_input)} read from the cache`}
      tabIndex={0}
    >
      {formatShortCount(tokens.input)} <span className="quiet">+{formatShortCount(tokens.cached_input)}</span>
    </span>
  );
}

function Count({ count }: { readonly count: number }) {
  return <Exact shown={formatShortCount(count)} exact={formatCount(count)} />;
}

function Duration({ milliseconds }: { readonly milliseconds: number | null }) {
  return milliseconds === null ? (
    <span className="quiet">–</span>
  ) : (
    <Exact shown={formatMilliseconds(milliseconds)} exact={`${formatCount(milliseconds)} ms`} />
  );
}
