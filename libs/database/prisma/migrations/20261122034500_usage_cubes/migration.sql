-- Hours of days that are over, added up over what a question by the hour seldom asks for. Nothing here is the truth: a day's
-- rows are read only while usage_cube_day calls them exact, and everything can be built anew from usage_hour.

-- CreateTable
CREATE TABLE "usage_cube" (
    "org_id" UUID NOT NULL,
    "cube" SMALLINT NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "series_id" BIGINT NOT NULL,
    "requests" BIGINT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cached_tokens" BIGINT NOT NULL,
    "cache_write_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_pico" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "usage_cube_pkey" PRIMARY KEY ("org_id","cube","period_start","series_id")
);

-- CreateTable
CREATE TABLE "usage_cube_day" (
    "org_id" UUID NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "attempt" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "usage_cube_day_pkey" PRIMARY KEY ("org_id","day")
);

-- CreateIndex
CREATE INDEX "usage_cube_period_start_idx" ON "usage_cube" USING BRIN ("period_start");

-- What Prisma's schema language cannot say
ALTER TABLE "usage_cube_day" ADD CONSTRAINT "usage_cube_day_state_check" CHECK ("state" IN ('stale', 'building', 'exact'));
-- What waits to be built: few of very many
CREATE INDEX "usage_cube_day_waiting" ON "usage_cube_day"("day") WHERE "state" <> 'exact';

-- What is there already waits to be built. Found by skipping through the key: days of organizations are few, series are many.
INSERT INTO "usage_cube_day" ("org_id", "day", "state")
WITH RECURSIVE used AS (
    (SELECT "org_id", "period_start" FROM "usage_day" ORDER BY "org_id", "period_start" LIMIT 1)
    UNION ALL
    SELECT next."org_id", next."period_start" FROM used, LATERAL (
        SELECT d."org_id", d."period_start" FROM "usage_day" d
        WHERE (d."org_id", d."period_start") > (used."org_id", used."period_start") ORDER BY d."org_id", d."period_start" LIMIT 1
    ) next
)
SELECT "org_id", "period_start", 'stale' FROM used WHERE "period_start" > now() - interval '135 days';

-- Whoever changes hours, of whatever version: in the same transaction their days are no longer exact. A day that is stale
-- already, as today is all the time, is only looked at and never locked. Days are looked up one by one, which takes the
-- key whatever the planner thinks of the number of rows.
CREATE FUNCTION "mark_usage_cube_days"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed record;
    known text;
BEGIN
    FOR changed IN
        SELECT DISTINCT org_id, date_trunc('day', period_start, 'UTC') AS day FROM (SELECT DISTINCT org_id, period_start FROM changed_hours) hours ORDER BY 1, 2
    LOOP
        SELECT d.state INTO known FROM usage_cube_day d WHERE d.org_id = changed.org_id AND d.day = changed.day;
        IF known IS DISTINCT FROM 'stale' THEN
            INSERT INTO usage_cube_day AS kept (org_id, day, state) VALUES (changed.org_id, changed.day, 'stale')
            ON CONFLICT (org_id, day) DO UPDATE SET state = 'stale' WHERE kept.state <> 'stale';
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

CREATE FUNCTION "forget_usage_cubes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE usage_cube, usage_cube_day;
    RETURN NULL;
END $$;

CREATE TRIGGER "usage_hour_added" AFTER INSERT ON "usage_hour"
    REFERENCING NEW TABLE AS changed_hours FOR EACH STATEMENT EXECUTE FUNCTION "mark_usage_cube_days"();
CREATE TRIGGER "usage_hour_changed" AFTER UPDATE ON "usage_hour"
    REFERENCING OLD TABLE AS changed_hours FOR EACH STATEMENT EXECUTE FUNCTION "mark_usage_cube_days"();
CREATE TRIGGER "usage_hour_removed" AFTER DELETE ON "usage_hour"
    REFERENCING OLD TABLE AS changed_hours FOR EACH STATEMENT EXECUTE FUNCTION "mark_usage_cube_days"();
CREATE TRIGGER "usage_hour_emptied" AFTER TRUNCATE ON "usage_hour"
    FOR EACH STATEMENT EXECUTE FUNCTION "forget_usage_cubes"();
