-- Cubes of hours (1 and 2) of days that are not over, or of which a later hour was changed: `exact_hours` counts the hours from
-- the start of the day of which they say what usage_hour says. Whoever changes one of the first `watched_hours` takes
-- both counts back to before it; whoever changes a later hour neither writes nor locks the row.

-- AlterTable
ALTER TABLE "usage_cube_day" ADD COLUMN     "exact_hours" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "watched_hours" SMALLINT NOT NULL DEFAULT 0;

-- What Prisma's schema language cannot say
ALTER TABLE "usage_cube_day" ADD CONSTRAINT "usage_cube_day_hours_check"
    CHECK (0 <= "exact_hours" AND "exact_hours" <= "watched_hours" AND "watched_hours" <= 24);

-- As before, and for hours as well, whatever version the statement is of: one that knows only days makes those stale, and this
-- takes their hours back. Whoever works on an older snapshot cannot see what is being built by now: Postgres refuses the
-- statement (40001) if the row has changed since.
CREATE OR REPLACE FUNCTION "mark_usage_cube_days"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed record;
    is_marked boolean;
BEGIN
    FOR changed IN
        SELECT org_id, date_trunc('day', period_start, 'UTC') AS day, min(extract(hour FROM period_start AT TIME ZONE 'UTC'))::smallint AS first_hour
        FROM (SELECT DISTINCT org_id, period_start FROM changed_hours) hours GROUP BY 1, 2 ORDER BY 1, 2
    LOOP
        SELECT d.state = 'stale' AND d.watched_hours <= changed.first_hour INTO is_marked
            FROM usage_cube_day d WHERE d.org_id = changed.org_id AND d.day = changed.day;
        IF is_marked IS NOT TRUE OR current_setting('transaction_isolation') NOT LIKE 'read %' THEN
            INSERT INTO usage_cube_day AS kept (org_id, day, state, watched_hours) VALUES (changed.org_id, changed.day, 'stale', changed.first_hour)
            ON CONFLICT (org_id, day) DO UPDATE SET state = 'stale',
                watched_hours = least(kept.watched_hours, excluded.watched_hours), exact_hours = least(kept.exact_hours, excluded.watched_hours)
            WHERE kept.state <> 'stale' OR kept.watched_hours > excluded.watched_hours;
        END IF;
    END LOOP;
    RETURN NULL;
END $$;
