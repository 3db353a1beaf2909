-- Cubes of days beside those of hours. A day built by a version that knows two cubes has two: `cubes` says how many, and
-- questions that need a later one read the days themselves until it is there.

-- AlterTable
ALTER TABLE "usage_cube_day" ADD COLUMN "cubes" SMALLINT NOT NULL DEFAULT 2;

-- What Prisma's schema language cannot say
-- Whoever makes a day stale or builds it anew, of whatever version, need not know of later cubes.
CREATE FUNCTION "forget_later_usage_cubes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.cubes := 2;
    RETURN NEW;
END $$;

CREATE TRIGGER "usage_cube_day_no_longer_exact" BEFORE UPDATE ON "usage_cube_day" FOR EACH ROW
    WHEN (NEW."state" <> 'exact' AND NEW."cubes" <> 2)
    EXECUTE FUNCTION "forget_later_usage_cubes"();

-- What waits to be built: few of very many. Days that have two cubes wait for the others.
DROP INDEX "usage_cube_day_waiting";
CREATE INDEX "usage_cube_day_waiting" ON "usage_cube_day"("day") WHERE "state" <> 'exact' OR "cubes" < 5;
