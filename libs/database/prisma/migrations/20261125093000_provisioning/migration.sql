-- What a directory says of members and groups (SCIM), and where a membership came from: what a claim gave, a claim takes.
--
-- One table at a time: no transaction holds two of these locks. Can be repeated.

-- AlterTable
ALTER TABLE "org_member"
    ADD COLUMN IF NOT EXISTS "deleted_at" TIMESTAMPTZ(3),
    ADD COLUMN IF NOT EXISTS "external_id" TEXT,
    ADD COLUMN IF NOT EXISTS "profile" JSONB,
    ADD COLUMN IF NOT EXISTS "source" TEXT NOT NULL DEFAULT 'manual'
        CONSTRAINT "org_member_source_check" CHECK ("source" IN ('manual', 'oidc', 'scim')),
    ADD COLUMN IF NOT EXISTS "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN IF NOT EXISTS "user_name" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX IF NOT EXISTS "org_member_organization_id_user_name_key" ON "org_member"("organization_id", "user_name");

-- CreateIndex
CREATE INDEX IF NOT EXISTS "org_member_organization_id_external_id_idx" ON "org_member"("organization_id", "external_id");

-- AlterTable
ALTER TABLE "user_group" ADD COLUMN IF NOT EXISTS "external_id" TEXT;

-- CreateIndex
CREATE INDEX IF NOT EXISTS "user_group_organization_id_external_id_idx" ON "user_group"("organization_id", "external_id");

-- AlterTable
ALTER TABLE "group_member" ADD COLUMN IF NOT EXISTS "source" TEXT NOT NULL DEFAULT 'manual'
    CONSTRAINT "group_member_source_check" CHECK ("source" IN ('manual', 'oidc', 'scim'));

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

-- An account belongs to the person, who may be in other organizations too: only where it is in this one alone, its directory
-- may give it another address or name. Returns whether it did: not where another account has the address. Addresses come in lower case. Where no wall stands between
-- organizations there is no setting to compare with.
CREATE OR REPLACE FUNCTION "change_own_account"("organization" uuid, "account" uuid, "address" text, "given_name" text, "family_name" text)
    RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE user_account u SET email = address, first_name = given_name, last_name = family_name, updated_at = now()
    WHERE u.id = account
        AND organization = coalesce(current_organization_id(), organization)
        AND EXISTS (SELECT 1 FROM org_member m WHERE m.user_id = u.id AND m.organization_id = organization)
        AND NOT EXISTS (SELECT 1 FROM org_member m WHERE m.user_id = u.id AND m.organization_id <> organization);
    RETURN FOUND;
EXCEPTION WHEN unique_violation THEN
    RETURN false;
END $$;
REVOKE EXECUTE ON FUNCTION "change_own_account"(uuid, uuid, text, text, text) FROM PUBLIC;
