-- How far audit and usage are exported as log records.

-- CreateTable
CREATE TABLE "export_cursor" (
    "stream" TEXT NOT NULL,
    "position" BIGINT NOT NULL DEFAULT 0,
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "export_cursor_pkey" PRIMARY KEY ("stream")
);

-- CreateTable
CREATE TABLE "usage_exported" (
    "writer_id" UUID NOT NULL,
    "exported" int8multirange NOT NULL DEFAULT '{}'::int8multirange,

    CONSTRAINT "usage_exported_pkey" PRIMARY KEY ("writer_id")
);

-- Of the deployment, not of an organization: no tenant sees them.
ALTER TABLE "export_cursor" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "usage_exported" ENABLE ROW LEVEL SECURITY;
