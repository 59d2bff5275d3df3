-- One row for each worker id of a layout that is recycled. Ticks count unit_ms from the
-- Unix epoch. Rows may be deleted at any time.
CREATE TABLE IF NOT EXISTS uid_lease (
    layout     TEXT    COLLATE "C" NOT NULL,
    worker_id  BIGINT  NOT NULL,
    unit_ms    BIGINT  NOT NULL, -- length of a tick
    window_ms  BIGINT  NOT NULL, -- how far ahead of now a grant may end
    nonce      BYTEA   NOT NULL CHECK (octet_length(nonce) = 16), -- of the last write: each has its own
    held       BOOLEAN NOT NULL,
    high_tick  BIGINT, -- no later tick was ever granted; NULL: nobody may take it yet
    expires_ms BIGINT, -- since the Unix epoch; may be taken over from then on
    renewed_ms BIGINT, -- since the Unix epoch; the last write; NULL: nobody had it
    owner      TEXT    NOT NULL, -- for people to read
    PRIMARY KEY (layout, worker_id)
);

-- For each layout the server that granted last, and above which tick it may.
CREATE TABLE IF NOT EXISTS uid_lease_head (
    layout     TEXT   COLLATE "C" PRIMARY KEY,
    epoch      TEXT   COLLATE "C" NOT NULL, -- the server that floor_tick was set for
    floor_tick BIGINT NOT NULL, -- every grant of that server is at or above it
    slack_ms   BIGINT NOT NULL -- how far clocks may differ, the most that any process said
);
