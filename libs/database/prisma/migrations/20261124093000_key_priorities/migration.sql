-- How requests of a key take turns with others where a provider limits all of them.

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "priority" TEXT NOT NULL DEFAULT 'normal'
    CONSTRAINT "api_key_priority_check" CHECK ("priority" IN ('low', 'normal', 'high')),
ADD COLUMN     "share" INTEGER NOT NULL DEFAULT 1
    CONSTRAINT "api_key_share_check" CHECK ("share" BETWEEN 1 AND 100);
