-- A sixth cube: days by labels and free fields. Days that have five wait for it, and questions that need it read the days
-- themselves until it is there.

-- What Prisma's schema language cannot say
-- What waits to be built: few of very many.
DROP INDEX "usage_cube_day_waiting";
CREATE INDEX "usage_cube_day_waiting" ON "usage_cube_day"("day") WHERE "state" <> 'exact' OR "cubes" < 6;
