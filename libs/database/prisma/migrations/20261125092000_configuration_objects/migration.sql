-- Which configuration document looks after which object of an organization.

-- CreateTable
CREATE TABLE "configuration_object" (
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "configuration" TEXT NOT NULL,
    "is_made" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "configuration_object_pkey" PRIMARY KEY ("organization_id","kind","object_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "configuration_object_organization_id_kind_name_key" ON "configuration_object"("organization_id", "kind", "name");

-- AddForeignKey
ALTER TABLE "configuration_object" ADD CONSTRAINT "configuration_object_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "configuration_object" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "configuration_object" USING (organization_id = current_organization_id());
