-- A key's former digest is of the same secret as its digest. The version before knows of no former digests: where it rotates
-- a key, the secret that ended must not go on being found by one.
CREATE FUNCTION "forget_former_hash"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.former_hash := NULL;
    RETURN NEW;
END $$;

CREATE TRIGGER "api_key_former_hash_ends" BEFORE UPDATE OF "hash" ON "api_key" FOR EACH ROW
    WHEN (NEW."hash" <> OLD."hash" AND NEW."former_hash" = OLD."former_hash")
    EXECUTE FUNCTION "forget_former_hash"();
