-- Requests of one organization, newest first. Partitions that were made one by one have this index already and keep it as
-- theirs; it is built only on the one from before there were partitions, which new installations begin with, and on the one
-- for what has no other.
CREATE INDEX "usage_event_org_id_admitted_at_idx" ON "usage_event"("org_id", "admitted_at");
