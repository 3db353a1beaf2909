-- AlterTable
ALTER TABLE "usage_dead_letter" ADD COLUMN     "dismissed_at" TIMESTAMPTZ(3),
ADD COLUMN     "dismissed_because" TEXT;
