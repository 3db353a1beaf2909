-- Sums of 64 bits that are added up in place. `sum(bigint)` keeps 128 bits of each group in memory of its own and makes a
-- numeric of it: twice the time for questions with tens of thousands of groups. More than 64 bits is an error, never a wrong
-- number. Money, which may need more, goes on being summed as it was.
CREATE AGGREGATE "sum_bigint"(bigint) (
    SFUNC = int8pl,
    STYPE = bigint,
    COMBINEFUNC = int8pl,
    PARALLEL = SAFE
);
