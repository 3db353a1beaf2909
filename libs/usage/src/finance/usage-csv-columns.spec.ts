import { DIMENSIONS } from '../dimensions';
import { USAGE_CSV_COLUMNS } from './usage-csv-columns';

describe('the plain finance file', () => {
  it.each(DIMENSIONS.map(({ name, match }) => [match === 'exact' ? name : name.slice(0, -1)]))(
    'has a column for the dimension %s',
    (name) => {
      // Labels of all names are in one column, named in the plural.
      expect(USAGE_CSV_COLUMNS.filter((column) => column.name === name || column.name === `${name}s`)).toHaveLength(1);
    },
  );
});
