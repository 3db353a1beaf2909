-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "is_session" BOOLEAN NOT NULL DEFAULT false;
