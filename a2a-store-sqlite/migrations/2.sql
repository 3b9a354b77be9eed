-- The outbox of webhook notifications: a queue for each webhook, and what was given up.

CREATE TABLE webhooks (
    key           INTEGER PRIMARY KEY,
    task_id       TEXT NOT NULL,
    id            TEXT NOT NULL,
    tenant        TEXT NOT NULL,
    principal     TEXT NOT NULL,
    receiver      TEXT NOT NULL,
    config        BLOB NOT NULL,
    -- Failed attempts at the head.
    attempts      INTEGER NOT NULL DEFAULT 0,
    -- When the head is due, or was when it was claimed; NULL when nothing waits.
    due           INTEGER,
    -- The claim of the head, and when it ends.
    ticket        INTEGER,
    claimed_until INTEGER,
    UNIQUE (task_id, id, tenant, principal)
) STRICT;

CREATE INDEX webhooks_by_due ON webhooks (due) WHERE ticket IS NULL AND due IS NOT NULL;
CREATE INDEX webhooks_by_claim ON webhooks (claimed_until) WHERE ticket IS NOT NULL;
CREATE INDEX webhooks_by_owner ON webhooks (tenant, principal);
CREATE INDEX webhooks_without_queue ON webhooks (key) WHERE due IS NULL;

CREATE TABLE notifications (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook INTEGER NOT NULL REFERENCES webhooks (key) ON DELETE CASCADE,
    id      TEXT NOT NULL,
    body    BLOB NOT NULL,
    queued  INTEGER NOT NULL,
    -- `traceparent tracestate` of the call that led to it.
    trace   TEXT
) STRICT;

CREATE INDEX notifications_by_webhook ON notifications (webhook, number);
CREATE INDEX notifications_by_time ON notifications (queued);

CREATE TABLE dead_letters (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook  INTEGER NOT NULL REFERENCES webhooks (key) ON DELETE CASCADE,
    id       TEXT NOT NULL,
    body     BLOB NOT NULL,
    attempts INTEGER NOT NULL,
    queued   INTEGER NOT NULL,
    given_up INTEGER NOT NULL,
    reason   TEXT NOT NULL,
    error    TEXT NOT NULL,
    trace    TEXT
) STRICT;

CREATE INDEX dead_letters_by_webhook ON dead_letters (webhook);
CREATE INDEX dead_letters_by_time ON dead_letters (given_up);
