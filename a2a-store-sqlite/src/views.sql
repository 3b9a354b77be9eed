-- Each view takes rows and has none. What a row does is one statement, whole or not at all: the
-- triggers check first, and what may not be done is refused. See views.rs.

CREATE TEMP VIEW new_task (
    tenant, principal, id, context, shape, state, time, said,
    message_id, digest, now, expires, message
) AS SELECT 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 WHERE FALSE;

CREATE TEMP TRIGGER new_task INSTEAD OF INSERT ON new_task BEGIN
    SELECT RAISE(ABORT, 'a2a: resent') WHERE NEW.message_id IS NOT NULL AND EXISTS (
        SELECT 1 FROM owners AS o JOIN tasks AS t ON t.owner = o.key
        WHERE o.tenant = NEW.tenant AND o.principal = NEW.principal
            AND t.message_id = NEW.message_id AND t.digest = NEW.digest AND t.expires > NEW.now
    );
    SELECT RAISE(ABORT, 'a2a: conflict') WHERE EXISTS (SELECT 1 FROM tasks WHERE id = NEW.id);
    INSERT OR IGNORE INTO owners (tenant, principal) VALUES (NEW.tenant, NEW.principal);
    INSERT INTO tasks
        (id, owner, tenant, context, shape, state, time, said, message_id, digest, expires)
        VALUES (
            NEW.id,
            (SELECT key FROM owners WHERE tenant = NEW.tenant AND principal = NEW.principal),
            NEW.tenant, NEW.context, NEW.shape, NEW.state, NEW.time, NEW.said,
            NEW.message_id, NEW.digest, NEW.expires
        );
    INSERT INTO messages (task, position, data)
        SELECT t.key, 0, NEW.message FROM tasks AS t
        WHERE t.id = NEW.id AND NEW.message IS NOT NULL;
END;

-- A new task that has ended already: nothing of it was written before. Without entries its log is
-- not kept.
CREATE TEMP VIEW new_life (
    tenant, principal, id, context, message, shape, state, time, said,
    sequence, revision, entries, log_until, artifact
) AS SELECT 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 WHERE FALSE;

-- The id is new, whoever gives it says so: see Due::FirstAppend.
CREATE TEMP TRIGGER new_life INSTEAD OF INSERT ON new_life BEGIN
    INSERT OR IGNORE INTO owners (tenant, principal) VALUES (NEW.tenant, NEW.principal);
    INSERT INTO tasks
        (id, owner, tenant, context, shape, state, time, said, revision, sequence, log_until)
        VALUES (
            NEW.id,
            (SELECT key FROM owners WHERE tenant = NEW.tenant AND principal = NEW.principal),
            NEW.tenant, NEW.context, NEW.shape, NEW.state, NEW.time, NEW.said,
            NEW.revision, NEW.sequence, NEW.log_until
        );
    -- The tables that follow have no row ids: the last one stays that of the task.
    INSERT INTO messages (task, position, data)
        SELECT last_insert_rowid(), 0, NEW.message WHERE NEW.message IS NOT NULL;
    INSERT INTO log (task, sequence, revision, entries)
        SELECT last_insert_rowid(), NEW.sequence, NEW.revision, NEW.entries
        WHERE NEW.entries IS NOT NULL;
    INSERT INTO artifacts (task, position, data)
        SELECT last_insert_rowid(), 0, NEW.artifact WHERE NEW.artifact IS NOT NULL;
END;

-- The task of a row for the log, if it is visible: tenant and principal are those of the scope.
CREATE TEMP VIEW new_pieces (
    id, tenant, principal, after, sequence, revision, entries
) AS SELECT 0, 0, 0, 0, 0, 0, 0 WHERE FALSE;

CREATE TEMP TRIGGER new_pieces INSTEAD OF INSERT ON new_pieces BEGIN
    SELECT RAISE(ABORT, 'a2a: unknown') WHERE NOT EXISTS (
        SELECT 1 FROM tasks AS t WHERE t.id = NEW.id
            AND (NEW.tenant IS NULL OR t.tenant = NEW.tenant)
            AND (NEW.principal IS NULL OR t.owner = (SELECT o.key FROM owners AS o
                WHERE o.tenant = NEW.tenant AND o.principal = NEW.principal))
    );
    SELECT RAISE(ABORT, 'a2a: conflict') FROM tasks AS t WHERE t.id = NEW.id
        AND NEW.after <> coalesce((SELECT l.revision FROM log AS l WHERE l.task = t.key
            ORDER BY l.sequence DESC, l.revision DESC LIMIT 1), t.revision);
    INSERT INTO log (task, sequence, revision, entries)
        SELECT t.key, NEW.sequence, NEW.revision, NEW.entries FROM tasks AS t
        WHERE t.id = NEW.id;
END;

-- `first` is the first status message, before which the old one moves into the history; `shape`,
-- `state` and `time` are NULL when there is no new status. `life` says that these entries and the
-- artifact are all there is to the task, unless it was made with artifacts.
CREATE TEMP VIEW new_entries (
    id, tenant, principal, after, sequence, revision, entries,
    first, said, shape, state, time, log_until, life, artifact
) AS SELECT 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 WHERE FALSE;

CREATE TEMP TRIGGER new_entries INSTEAD OF INSERT ON new_entries BEGIN
    SELECT RAISE(ABORT, 'a2a: unknown') WHERE NOT EXISTS (
        SELECT 1 FROM tasks AS t WHERE t.id = NEW.id
            AND (NEW.tenant IS NULL OR t.tenant = NEW.tenant)
            AND (NEW.principal IS NULL OR t.owner = (SELECT o.key FROM owners AS o
                WHERE o.tenant = NEW.tenant AND o.principal = NEW.principal))
    );
    SELECT RAISE(ABORT, 'a2a: conflict') FROM tasks AS t WHERE t.id = NEW.id
        AND NEW.after <> coalesce((SELECT l.revision FROM log AS l WHERE l.task = t.key
            ORDER BY l.sequence DESC, l.revision DESC LIMIT 1), t.revision);
    INSERT INTO messages (task, position, data)
        SELECT t.key,
            (SELECT coalesce(max(m.position) + 1, 0) FROM messages AS m WHERE m.task = t.key),
            t.said
        FROM tasks AS t
        WHERE t.id = NEW.id AND t.said IS NOT NULL AND t.said IS NOT NEW.first;
    INSERT INTO log (task, sequence, revision, entries)
        SELECT t.key, NEW.sequence, NEW.revision, NEW.entries FROM tasks AS t
        WHERE t.id = NEW.id;
    UPDATE tasks SET
        said = NEW.said,
        shape = coalesce(NEW.shape, shape),
        state = coalesce(NEW.state, state),
        time = coalesce(NEW.time, time),
        log_until = CASE WHEN NEW.state IS NULL THEN log_until ELSE NEW.log_until END,
        (revision, sequence) = (
            SELECT iif(life, NEW.revision, tasks.revision), iif(life, NEW.sequence, tasks.sequence)
            FROM (SELECT NEW.life AND NOT EXISTS (
                SELECT 1 FROM artifacts AS a WHERE a.task = tasks.key
            ) AS life)
        )
        WHERE id = NEW.id;
    INSERT INTO artifacts (task, position, data)
        SELECT t.key, 0, NEW.artifact FROM tasks AS t
        WHERE t.id = NEW.id AND NEW.life AND NEW.artifact IS NOT NULL
            AND t.revision = NEW.revision;
END;
