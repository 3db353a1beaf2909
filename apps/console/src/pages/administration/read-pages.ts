/** Few enough that the gateway serves others meanwhile, and enough that a whole list is few of them. */
const ROWS_OF_PAGE = 1_000;

type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | null | undefined };
export type PageQuery = { readonly limit: number; readonly cursor?: string };

/** All pages of a list, one after the other. `onPage` is called with what is read so far, while there is more. */
export async function readPages<Row>(
  read: (query: PageQuery) => Promise<Page<Row>>,
  onPage: (begun: readonly Row[]) => void = () => undefined,
): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { rows, next } = await read({ limit: ROWS_OF_PAGE, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...rows);
    if (next === null || next === undefined) return all;
    onPage([...all]);
    cursor = next;
  }
}
