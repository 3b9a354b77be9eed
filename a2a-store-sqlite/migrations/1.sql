-- The first schema. What a task is made of, and why it lies where it lies: docs/store.md.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE owners (
    key       INTEGER PRIMARY KEY,
    tenant    TEXT NOT NULL,
    principal TEXT NOT NULL,
    UNIQUE (tenant, principal)
) STRICT;

-- What lists and filters need, and nothing that grows.
CREATE TABLE tasks (
    key        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    owner      INTEGER NOT NULL REFERENCES owners (key),
    tenant     TEXT NOT NULL,
    context    TEXT NOT NULL,
    -- The status: 0 there is none, 1 it has no timestamp, 2 it has one.
    shape      INTEGER NOT NULL,
    state      INTEGER NOT NULL,
    -- Milliseconds since the start of 1970.
    time       INTEGER NOT NULL,
    -- The message of the status, as JSON.
    said       TEXT,
    -- The place in the log up to which `artifacts` holds what the log says.
    revision   INTEGER NOT NULL DEFAULT 0,
    sequence   INTEGER NOT NULL DEFAULT 0,
    -- Until when the log of an ended task is kept; NULL when there is nothing to remove.
    log_until  INTEGER,
    -- By what a repeated send finds the task, and until when.
    message_id TEXT,
    digest     BLOB,
    expires    INTEGER
) STRICT;

CREATE INDEX tasks_by_state ON tasks (state, owner, time, id);
CREATE INDEX tasks_by_context ON tasks (owner, context, time, id, state);
CREATE INDEX tasks_by_tenant ON tasks (tenant, time, id, state);
CREATE INDEX tasks_by_log ON tasks (log_until) WHERE log_until IS NOT NULL;
CREATE INDEX tasks_by_message ON tasks (owner, message_id) WHERE message_id IS NOT NULL;

CREATE TABLE metadata (
    task INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
    data TEXT NOT NULL
) STRICT;

-- The history: a message a row, in the order in which things were said.
CREATE TABLE messages (
    task     INTEGER NOT NULL REFERENCES tasks (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    data     TEXT NOT NULL,
    PRIMARY KEY (task, position)
) STRICT, WITHOUT ROWID;

-- The artifacts up to `tasks.revision`; what came later is in the log alone.
CREATE TABLE artifacts (
    task     INTEGER NOT NULL REFERENCES tasks (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    data     TEXT NOT NULL,
    PRIMARY KEY (task, position)
) STRICT, WITHOUT ROWID;

-- One row for what was appended together; `sequence` and `revision` are those after the row.
CREATE TABLE log (
    task     INTEGER NOT NULL REFERENCES tasks (key) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    entries  BLOB NOT NULL,
    PRIMARY KEY (task, sequence, revision)
) STRICT, WITHOUT ROWID;

-- How many tasks there are, so that a total costs no walk through them.
CREATE TABLE counts (
    tenant TEXT NOT NULL,
    owner  INTEGER NOT NULL,
    state  INTEGER NOT NULL,
    tasks  INTEGER NOT NULL,
    PRIMARY KEY (tenant, owner, state)
) STRICT, WITHOUT ROWID;

-- A registration needs no task: that there is one is for the server to know.
CREATE TABLE push_configs (
    task_id   TEXT NOT NULL,
    id        TEXT NOT NULL,
    tenant    TEXT NOT NULL,
    principal TEXT NOT NULL,
    config    BLOB NOT NULL,
    PRIMARY KEY (task_id, id, tenant, principal)
) STRICT, WITHOUT ROWID;

CREATE INDEX push_configs_by_owner ON push_configs (tenant, principal, task_id);

CREATE TRIGGER task_created AFTER INSERT ON tasks BEGIN
    INSERT INTO counts (tenant, owner, state, tasks) VALUES (NEW.tenant, NEW.owner, NEW.state, 1)
        ON CONFLICT DO UPDATE SET tasks = tasks + 1;
END;

CREATE TRIGGER task_changed AFTER UPDATE OF state ON tasks WHEN OLD.state <> NEW.state BEGIN
    UPDATE counts SET tasks = tasks - 1
        WHERE tenant = OLD.tenant AND owner = OLD.owner AND state = OLD.state;
    INSERT INTO counts (tenant, owner, state, tasks) VALUES (NEW.tenant, NEW.owner, NEW.state, 1)
        ON CONFLICT DO UPDATE SET tasks = tasks + 1;
END;

-- The last task of an owner takes the owner along.
CREATE TRIGGER task_deleted AFTER DELETE ON tasks BEGIN
    UPDATE counts SET tasks = tasks - 1
        WHERE tenant = OLD.tenant AND owner = OLD.owner AND state = OLD.state;
    DELETE FROM push_configs WHERE task_id = OLD.id;
    DELETE FROM counts WHERE tenant = OLD.tenant AND owner = OLD.owner AND NOT EXISTS (
        SELECT 1 FROM counts AS other
        WHERE other.tenant = OLD.tenant AND other.owner = OLD.owner AND other.tasks > 0
    );
    DELETE FROM owners WHERE key = OLD.owner AND NOT EXISTS (
        SELECT 1 FROM counts WHERE tenant = OLD.tenant AND owner = OLD.owner
    );
END;
