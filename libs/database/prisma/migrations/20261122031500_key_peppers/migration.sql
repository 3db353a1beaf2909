-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "former_hash" BYTEA,
ADD COLUMN     "previous_pepper_version" INTEGER,
ADD COLUMN     "seeded_hash" BYTEA;

-- CreateIndex
CREATE UNIQUE INDEX "api_key_former_hash_key" ON "api_key"("former_hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_seeded_hash_key" ON "api_key"("seeded_hash");
