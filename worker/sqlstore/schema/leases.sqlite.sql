-- A namespace of worker ids that are recycled. Ticks count unit_ms from the Unix
-- epoch. Never delete rows.
CREATE TABLE IF NOT EXISTS uid_ns (
    ns           TEXT    NOT NULL PRIMARY KEY,
    fingerprint  TEXT    NOT NULL, -- the layout that its worker ids are for
    unit_ms      INTEGER NOT NULL CHECK (unit_ms > 0), -- length of a tick
    first_worker INTEGER NOT NULL,
    last_worker  INTEGER NOT NULL,
    window_ticks INTEGER NOT NULL, -- how far ahead of now a grant may end
    epoch        TEXT    NOT NULL, -- the file that floor_tick was set for
    floor_tick   INTEGER NOT NULL, -- every new grant is at or above it; it never sinks
    seal         TEXT    NOT NULL  -- of the settings: whether somebody edited them
);

-- One row for each worker id. high_tick is the last tick ever granted to it: the
-- next holder begins behind. Never delete rows, and never lower high_tick.
CREATE TABLE IF NOT EXISTS uid_worker (
    ns         TEXT    NOT NULL,
    worker_id  INTEGER NOT NULL,
    nonce      BLOB    NOT NULL CHECK (typeof(nonce) = 'blob' AND length(nonce) = 16), -- of the last write
    held       INTEGER NOT NULL,
    high_tick  INTEGER NOT NULL, -- no later tick was ever granted
    expires_ms INTEGER NOT NULL, -- since the Unix epoch; may be taken over from then on
    renewed_ms INTEGER NOT NULL, -- since the Unix epoch; the last write
    owner      TEXT    NOT NULL, -- for people to read
    PRIMARY KEY (ns, worker_id)
);

-- Tells this file from another that takes its place, and from an older state of its
-- own that is copied over it: each change is counted.
CREATE TABLE IF NOT EXISTS uid_file (
    one    INTEGER PRIMARY KEY CHECK (one = 1),
    id     TEXT    NOT NULL,
    writes INTEGER NOT NULL -- changes of uid_ns and uid_worker
);

INSERT OR IGNORE INTO uid_file VALUES (1, lower(hex(randomblob(16))), 0);

CREATE TRIGGER IF NOT EXISTS uid_worker_writes AFTER UPDATE ON uid_worker BEGIN UPDATE uid_file SET writes = writes + 1; END;

CREATE TRIGGER IF NOT EXISTS uid_ns_writes AFTER UPDATE ON uid_ns WHEN NEW.floor_tick <> OLD.floor_tick BEGIN UPDATE uid_file SET writes = writes + 1; END;
