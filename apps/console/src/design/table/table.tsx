import { Link, type LinkProps } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import { EmptyState } from '../states/states';
import './table.css';

export type Column<Row> = {
  readonly id: string;
  readonly head: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned at their end, digit below digit. */
  readonly isNumber?: boolean;
  /** In pixels; of long tables, where widths may not change while scrolling. */
  readonly width?: number;
};

/** Of a path that `routes.tsx` has; loose, because the router's own type is of all routes at once. */
export type RowLink = { readonly to: string; readonly search?: object; readonly params?: Readonly<Record<string, string>> };

type TableProps<Row> = {
  /** What the table is of, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The whole row leads there; the link itself is the first cell. */
  readonly rowLink?: (row: Row) => RowLink;
  readonly empty?: ReactNode;
  /** How high a long table may get before it scrolls in itself; any CSS length. */
  readonly maxHeight?: string;
  /** Called when the last rows come into sight: load more. */
  readonly onEndReached?: () => void;
};

/** From here on only the rows in sight are in the document. */
const LONG = 100;
const ROW_HEIGHT = 41;
const OVERSCAN = 12;

/** Rows are of one height. Long tables need widths of their columns and a height; short ones neither. */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, empty, maxHeight = 'calc(100dvh - 240px)' } = props;
  if (rows.length === 0) return empty ?? <EmptyState title="Nothing here yet" />;
  return rows.length > LONG ? <LongTable {...props} maxHeight={maxHeight} /> : <ShortTable {...props} />;
}

function ShortTable<Row>({ label, columns, rows, rowKey, rowLink }: TableProps<Row>) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label={label}>
      <table className="table" aria-label={label}>
        <Head columns={columns} />
        <tbody>
          {rows.map((row) => (
            <BodyRow key={rowKey(row)} row={row} columns={columns} rowLink={rowLink} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LongTable<Row>({ label, columns, rows, rowKey, rowLink, maxHeight, onEndReached }: TableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is memoized by the compiler
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    onChange: ({ range }) => range !== null && range.endIndex >= rows.length - OVERSCAN && onEndReached?.(),
  });
  const shown = virtual.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div className="table-frame" ref={frame} style={{ maxHeight }} tabIndex={0} role="region" aria-label={label}>
      <table className="table table-fixed table-long" aria-label={label} aria-rowcount={rows.length + 1}>
        <colgroup>
          {columns.map(({ id, width }) => (
            <col key={id} style={width === undefined ? {} : { width }} />
          ))}
        </colgroup>
        <Head columns={columns} />
        <tbody>
          <Gap height={before} span={columns.length} />
          {shown.map(({ index }) => {
            const row = rows[index];
            return row === undefined ? null : <BodyRow key={rowKey(row)} row={row} columns={columns} rowLink={rowLink} index={index + 2} />;
          })}
          <Gap height={after} span={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

function Gap({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    <tr className="table-gap" aria-hidden="true">
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}

function Head<Row>({ columns }: Pick<TableProps<Row>, 'columns'>) {
  return (
    <thead>
      <tr>
        {columns.map(({ id, head, isNumber }) => (
          <th key={id} scope="col" className={isNumber === true ? 'table-number' : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

type BodyRowProps<Row> = {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly rowLink: ((row: Row) => RowLink) | undefined;
  readonly index?: number;
};

function BodyRow<Row>({ row, columns, rowLink, index }: BodyRowProps<Row>) {
  const link = rowLink?.(row);
  return (
    <tr className={link === undefined ? undefined : 'table-row-link'} aria-rowindex={index}>
      {columns.map(({ id, cell, isNumber }, column) => (
        <td key={id} className={isNumber === true ? 'table-number' : undefined}>
          {link !== undefined && column === 0 ? (
            <Link {...(link as LinkProps)} className="table-link">
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
