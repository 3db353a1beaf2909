import { graph, number, query, type Board } from '../dashboard';

/** Whether the accounts are right and on time. */
export const MONEY: Board = {
  name: 'money',
  title: 'money',
  from: 'now-6h',
  rows: [
    {
      title: 'Must be nothing',
      panels: [
        number('Unexplained, pico-USD', 'max(abs(weir_usage_unexplained_pico_usd))', {
          about: 'What events, rollups, spend and ledger differ by.',
        }),
        number('Missing events', 'max(weir_usage_missing_sequences)'),
        number('Journal gaps', 'sum(increase(weir_journal_gaps_total[24h]))'),
        number('Journals harmed', 'sum(increase(weir_journal_harm_total[24h]))', {
          about: 'Times that files of a journal were removed, cut or put back by someone.',
        }),
        number('Dead letters', 'sum(weir_usage_dead_letters)'),
        number('Orphaned journals', 'max(weir_journal_orphans)'),
        number('Ranges a writer', 'max(weir_usage_writer_ranges)', { redFrom: 1.5 }),
        number('Implausible usage', 'sum(increase(weir_attempts_doubted_total[24h]))', {
          about: 'Attempts of the last day whose provider reported implausible usage: a plausible bound was charged.',
        }),
        number('Processes without row security', 'count(weir_row_security_in_force == 0) or vector(0)', {
          about: 'Postgres does not keep organizations apart there.',
        }),
      ],
    },
    {
      title: 'Journal and lag',
      panels: [
        graph('Age of the oldest event that is not in the rollups', 's', [
          query('max by (instance) (weir_usage_watermark_lag_seconds)', '{{instance}}'),
          query('max(weir_usage_lag_seconds)', 'newest, when counted'),
        ]),
        graph('Events that wait', 'short', [
          query('sum by (instance) (weir_journal_unpublished_events)', 'for the bus {{instance}}'),
          query('sum by (instance) (weir_journal_unaggregated_events)', 'for the rollups {{instance}}'),
        ]),
        graph('Journal, of what it may hold', 'percentunit', query('weir_journal_bytes / weir_journal_bytes_max', '{{instance}}')),
        graph('Events counted', 'reqps', query('sum by (result) (rate(weir_usage_events_total[1m]))', '{{result}}')),
        graph('Attempts begun and not ended', 'short', [
          query('sum by (instance) (weir_journal_open_attempts)', '{{instance}}'),
          query('sum by (instance) (weir_journal_unwritten_ends)', '{{instance}}, waiting for disk space'),
        ]),
        graph('Age of the oldest segment kept', 's', query('max by (instance) (weir_journal_oldest_seconds)', '{{instance}}')),
        graph(
          'Exports of audit and usage: late by',
          's',
          query('max by (stream) (weir_export_lag_seconds)', '{{stream}}'),
          'Since when there are records that their receiver has not taken.',
        ),
        graph('Exports of audit and usage: records a second', 'reqps', [
          query('sum by (stream) (rate(weir_export_records_total[5m]))', '{{stream}}'),
          query('sum by (stream) (rate(weir_export_failures_total[5m]))', '{{stream}} failures'),
        ]),
        graph(
          'Files of usage: days that wait, and for how long',
          'short',
          [query('max(weir_usage_files_waiting)', 'days'), query('max(weir_usage_files_lag_seconds) / 3600', 'hours')],
          'Days that are over and not in the bucket as they are by now.',
        ),
        graph('Files of usage: in an hour', 'short', [
          query('sum(increase(weir_usage_files_written_total[1h]))', 'files'),
          query('sum by (revision) (increase(weir_usage_files_published_total[1h]))', 'days, {{revision}} revision'),
          query('sum(increase(weir_usage_files_failures_total[1h]))', 'failures'),
        ]),
        graph('Files of usage: bytes a second', 'Bps', query('sum by (dataset) (rate(weir_usage_files_bytes_total[5m]))', '{{dataset}}')),
        graph('Last sync to disk', 's', query('max by (instance) (weir_journal_sync_seconds)', '{{instance}}')),
      ],
    },
    {
      title: 'ClickHouse, where there is one',
      panels: [
        number('Days that differ', 'max(weir_usage_feed_differing_days)', {
          about: 'Days of organizations on which ClickHouse and Postgres differ, after they were written once more.',
        }),
        number('Days written once more', 'sum(increase(weir_usage_feed_rewritten_days_total[24h]))'),
        graph('ClickHouse: late by', 's', query('max(weir_usage_feed_lag_seconds)', 'late')),
        graph('ClickHouse: events a second', 'reqps', [
          query('sum(rate(weir_usage_feed_events_total[5m]))', 'events'),
          query('sum(rate(weir_usage_feed_failures_total[5m]))', 'failures'),
        ]),
        graph(
          'Questions about usage, by who replied or why it was Postgres',
          'reqps',
          query('sum by (outcome) (rate(weir_usage_reads_total[5m]))', '{{outcome}}'),
        ),
      ],
    },
  ],
};
