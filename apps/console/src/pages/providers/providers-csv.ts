import type { CsvColumn } from '../../format/csv';
import type { Provider } from './provider-list';

export const PROVIDER_CSV: readonly CsvColumn<Provider>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['is_set_up', ({ is_set_up: isSetUp }) => isSetUp],
  ['needs', ({ needs }) => needs.map((way) => way.join(' with ')).join(' or ')],
  ['own_keys', ({ own_keys: count }) => count],
  ['models', ({ models }) => models],
  ['regions', ({ regions }) => regions.join(' ')],
  ['state', ({ health }) => health.state],
  ['error_share', ({ health }) => health.error_share],
  ['stream_ms', ({ health }) => health.latency_ms.stream],
  ['whole_ms', ({ health }) => health.latency_ms.whole],
  ['ejected_until', ({ health }) => health.ejected_until],
];
