-- CreateTable
CREATE TABLE "free_day" (
    "org_id" UUID NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "free_day_pkey" PRIMARY KEY ("org_id","day")
);

-- What Prisma's schema language cannot say: the row of the current day is updated all the time
ALTER TABLE "free_day" SET (fillfactor = 50);
