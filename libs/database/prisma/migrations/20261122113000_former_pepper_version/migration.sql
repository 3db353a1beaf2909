-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "former_pepper_version" INTEGER;
