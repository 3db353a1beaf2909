import { useState } from 'react';
import { toApiError } from '../../api/api-error';
import { writeCsv, writeTabbed, type CsvColumn } from '../../format/csv';
import { Button } from '../controls/button';
import { Icon } from '../icons';
import { showToast } from '../overlay/toasts';
import { saveText } from './save-text';

type ListExportProps<Row> = {
  /** Of what, as in "keys": also the name of the file. */
  readonly name: string;
  readonly columns: readonly CsvColumn<Row>[];
  /** The rows in sight, filtered as they are; of a list that comes in pages, what loads the rest of it. */
  readonly rows: readonly Row[] | (() => Promise<readonly Row[]>);
};

/** Takes a list along: into the clipboard, for spreadsheets, or as a file. */
export function ListExport<Row>({ name, columns, rows }: ListExportProps<Row>) {
  const [isBusy, setBusy] = useState(false);
  const isEmpty = typeof rows !== 'function' && rows.length === 0;
  const take = async (give: (all: readonly Row[]) => unknown): Promise<void> => {
    setBusy(true);
    try {
      await give(typeof rows === 'function' ? await rows() : rows);
    } catch (error) {
      showToast({ text: `The list of ${name} could not be taken along: ${toApiError(error).message}`, kind: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  const copy = async (all: readonly Row[]): Promise<void> => {
    await copyText(writeTabbed(columns, all));
    showToast({ text: `Copied ${all.length} ${all.length === 1 ? 'row' : 'rows'}` });
  };
  return (
    <span className="row">
      <Button isBusy={isBusy} disabled={isEmpty} onClick={() => void take(copy)} data-tip="For spreadsheets, with a line of names">
        <Icon name="copy" size={14} /> Copy<span className="visually-hidden"> the list of {name}</span>
      </Button>
      <Button isBusy={isBusy} disabled={isEmpty} onClick={() => void take((all) => saveText(`${name}.csv`, writeCsv(columns, all)))}>
        <Icon name="download" size={14} /> Download CSV<span className="visually-hidden"> of {name}</span>
      </Button>
    </span>
  );
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw new Error('the browser does not allow copying here. Download it instead.');
  }
}
