-- A namespace of worker ids that are recycled. Ticks count unit_ms from the Unix
-- epoch. Never delete rows.
CREATE TABLE IF NOT EXISTS uid_ns (
    ns           TEXT   COLLATE "C" PRIMARY KEY,
    fingerprint  TEXT   COLLATE "C" NOT NULL, -- the layout that its worker ids are for
    unit_ms      BIGINT NOT NULL CHECK (unit_ms > 0), -- length of a tick
    first_worker BIGINT NOT NULL,
    last_worker  BIGINT NOT NULL,
    window_ticks BIGINT NOT NULL, -- how far ahead of now a grant may end
    epoch        TEXT   COLLATE "C" NOT NULL, -- the server that floor_tick was set for
    floor_tick   BIGINT NOT NULL, -- every new grant is at or above it; it never sinks
    seal         TEXT   COLLATE "C" NOT NULL -- of the settings: whether somebody edited them
);

-- One row for each worker id. high_tick is the last tick ever granted to it: the
-- next holder begins behind. Never delete rows, and never lower high_tick.
CREATE TABLE IF NOT EXISTS uid_worker (
    ns         TEXT    COLLATE "C" NOT NULL,
    worker_id  BIGINT  NOT NULL,
    nonce      BYTEA   NOT NULL CHECK (octet_length(nonce) = 16), -- of the last write: each has its own
    held       BOOLEAN NOT NULL,
    high_tick  BIGINT  NOT NULL, -- no later tick was ever granted
    expires_ms BIGINT  NOT NULL, -- since the Unix epoch; may be taken over from then on
    renewed_ms BIGINT  NOT NULL, -- since the Unix epoch; the last write
    owner      TEXT    NOT NULL, -- for people to read
    PRIMARY KEY (ns, worker_id)
);
