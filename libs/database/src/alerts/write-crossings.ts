/**
 * Reports what crosses a threshold, from a query of `alert_id`, `org_id`, `episode` (what a notice is once for), `value`,
 * `threshold`, `details`, `repeat_hours`, and `is_current` (whether it is so now, and not only late). `$1` is the moment, in UTC
 * epoch milliseconds. A repetition counts on from the last one: whichever process is first writes it, under a key that no
 * other can write again.
 */
export function writeCrossings(states: string): string {
  return `INSERT INTO alert_firing (alert_id, org_id, period, repetition, value_pico, threshold_pico, details, fired_at, next_attempt_at)
    SELECT s.alert_id, s.org_id, s.episode || coalesce('#' || (last.repetition + 1), ''), coalesce(last.repetition + 1, 0),
      s.value, s.threshold, s.details, ${NOW}, ${NOW}
    FROM (${states}) s
    LEFT JOIN LATERAL (${LAST_OF_EPISODE}) last ON true
    WHERE last.repetition IS NULL OR (s.is_current AND last.fired_at + s.repeat_hours * interval '1 hour' <= ${NOW})
    ORDER BY s.alert_id, s.episode ON CONFLICT (alert_id, period) DO NOTHING`;
}

/** The newest notice of a crossing in an episode of `s`. */
export const LAST_OF_EPISODE = `SELECT f.repetition, f.fired_at FROM alert_firing f
  WHERE f.alert_id = s.alert_id AND split_part(f.period, '#', 1) = s.episode AND f.kind = 'crossed' ORDER BY f.repetition DESC LIMIT 1`;

export const NOW = `to_timestamp($1::bigint / 1000.0)`;

/**
 * Reports that what was noticed last is over, from a query of `alert_id`, `value` and `threshold` (null where there is none any
 * more) of alerts that do not hold now. Not of what is long past: an alert that is asked for this later begins from then on.
 */
export function writeRecoveries(states: string): string {
  return `INSERT INTO alert_firing (alert_id, org_id, period, kind, repetition, value_pico, threshold_pico, details, fired_at, next_attempt_at)
    SELECT f.alert_id, f.org_id, f.period || '#recovered', 'recovered', f.repetition, s.value, coalesce(s.threshold, f.threshold_pico), f.details, ${NOW}, ${NOW}
    FROM (${states}) s
    CROSS JOIN LATERAL (SELECT * FROM alert_firing f WHERE f.alert_id = s.alert_id AND f.kind = 'crossed'
      ORDER BY f.fired_at DESC, f.repetition DESC LIMIT 1) f
    WHERE f.fired_at > ${NOW} - interval '${RECOVERY_DAYS} days'
      AND NOT EXISTS (SELECT 1 FROM alert_firing r WHERE r.alert_id = f.alert_id AND r.period = f.period || '#recovered')
    ORDER BY f.alert_id ON CONFLICT (alert_id, period) DO NOTHING`;
}

/** The longest window is a month. */
export const RECOVERY_DAYS = 35;
