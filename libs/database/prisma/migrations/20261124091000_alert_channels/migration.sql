-- Alerts besides webhooks: channels, repetition, recovery, limits and unusual hours.

-- AlterTable
ALTER TABLE "alert" ADD COLUMN     "channel" TEXT NOT NULL DEFAULT 'webhook',
ADD COLUMN     "target" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "recipients" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "repeat_hours" INTEGER,
ADD COLUMN     "notify_recovery" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "settings" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "alert_firing" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'crossed',
ADD COLUMN     "repetition" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "details" JSONB NOT NULL DEFAULT '{}';

-- CreateIndex
CREATE INDEX "alert_firing_alert_id_fired_at_idx" ON "alert_firing"("alert_id", "fired_at");

-- What Prisma's schema language cannot say
ALTER TABLE "alert"
    DROP CONSTRAINT "alert_scope_check",
    ADD CONSTRAINT "alert_scope_check" CHECK ("scope" IN ('key', 'member', 'group', 'balance', 'limit', 'anomaly')),
    ADD CONSTRAINT "alert_channel_check" CHECK ("channel" IN ('webhook', 'slack', 'email')),
    ADD CONSTRAINT "alert_repeat_hours_check" CHECK ("repeat_hours" BETWEEN 1 AND 720);
ALTER TABLE "alert_firing"
    ADD CONSTRAINT "alert_firing_kind_check" CHECK ("kind" IN ('crossed', 'recovered', 'test'));
-- The notices of one period: what stands in `period` before a `#`
CREATE INDEX "alert_firing_alert_id_episode_idx" ON "alert_firing"("alert_id", split_part("period", '#', 1), "repetition");
