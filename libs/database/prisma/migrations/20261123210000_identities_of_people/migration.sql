-- Who a person is at a provider of OpenID Connect. A subject means something at its issuer only: two issuers may use the
-- same one for two people, so it is not kept beside the address as `idp_subject` is.
--
-- One table at a time: no transaction holds two of these locks. Can be repeated.

-- CreateTable
CREATE TABLE IF NOT EXISTS "user_identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_identity_pkey" PRIMARY KEY ("issuer","subject"),
    CONSTRAINT "user_identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX IF NOT EXISTS "user_identity_issuer_user_id_key" ON "user_identity"("issuer", "user_id");

-- CreateIndex
CREATE INDEX IF NOT EXISTS "user_identity_user_id_idx" ON "user_identity"("user_id");

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

ALTER TABLE "user_identity" ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_organization ON "user_identity";
CREATE POLICY own_organization ON "user_identity" USING (EXISTS (SELECT 1 FROM org_member m WHERE m.user_id = user_identity.user_id));
