-- One row for each worker id of a layout that is recycled. Ticks count unit_ms from the
-- Unix epoch. Rows may be deleted at any time.
CREATE TABLE IF NOT EXISTS uid_lease (
    layout     TEXT    NOT NULL,
    worker_id  INTEGER NOT NULL,
    unit_ms    INTEGER NOT NULL, -- length of a tick
    window_ms  INTEGER NOT NULL, -- how far ahead of now a grant may end
    nonce      BLOB    NOT NULL CHECK (typeof(nonce) = 'blob' AND length(nonce) = 16), -- of the last write
    held       INTEGER NOT NULL,
    high_tick  INTEGER, -- no later tick was ever granted; NULL: nobody may take it yet
    expires_ms INTEGER, -- since the Unix epoch; may be taken over from then on
    renewed_ms INTEGER, -- since the Unix epoch; the last write; NULL: nobody had it
    owner      TEXT    NOT NULL, -- for people to read
    PRIMARY KEY (layout, worker_id)
);

-- For each layout the file that granted last, and above which tick it may.
CREATE TABLE IF NOT EXISTS uid_lease_head (
    layout     TEXT    NOT NULL PRIMARY KEY,
    epoch      TEXT    NOT NULL, -- the file that floor_tick was set for
    floor_tick INTEGER NOT NULL, -- every grant of that file is at or above it
    slack_ms   INTEGER NOT NULL  -- how far clocks may differ, the most that any process said
);
