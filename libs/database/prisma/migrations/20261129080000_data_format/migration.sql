-- The oldest format of data that a version has to know to use this database: older ones refuse to start.
CREATE TABLE "data_format" (
    "required" INTEGER NOT NULL,

    CONSTRAINT "data_format_pkey" PRIMARY KEY ("required")
);

INSERT INTO "data_format" ("required") VALUES (1);
