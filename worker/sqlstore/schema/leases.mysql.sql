-- A namespace of worker ids that are recycled. Ticks count unit_ms from the Unix
-- epoch. Names are bytes, so that no collation makes two of them equal.
CREATE TABLE IF NOT EXISTS uid_ns (
    ns           VARBINARY(64)  NOT NULL COMMENT 'name',
    fingerprint  VARBINARY(255) NOT NULL COMMENT 'the layout that its worker ids are for',
    unit_ms      BIGINT         NOT NULL COMMENT 'length of a tick',
    first_worker BIGINT         NOT NULL,
    last_worker  BIGINT         NOT NULL,
    window_ticks BIGINT         NOT NULL COMMENT 'how far ahead of now a grant may end',
    epoch        VARBINARY(255) NOT NULL COMMENT 'the server that floor_tick was set for',
    floor_tick   BIGINT         NOT NULL COMMENT 'every new grant is at or above it; it never sinks',
    seal         VARBINARY(16)  NOT NULL COMMENT 'of the settings: whether somebody edited them',
    PRIMARY KEY (ns),
    CHECK (unit_ms > 0)
) ENGINE = InnoDB COMMENT = 'namespaces of recycled worker ids; never delete rows';

-- One row for each worker id. high_tick is the last tick ever granted to it: the
-- next holder begins behind. Never delete rows, and never lower high_tick.
CREATE TABLE IF NOT EXISTS uid_worker (
    ns         VARBINARY(64) NOT NULL,
    worker_id  BIGINT        NOT NULL,
    nonce      BINARY(16)    NOT NULL COMMENT 'of the last write: each has its own',
    held       BOOLEAN       NOT NULL,
    high_tick  BIGINT        NOT NULL COMMENT 'no later tick was ever granted',
    expires_ms BIGINT        NOT NULL COMMENT 'since the Unix epoch; may be taken over from then on',
    renewed_ms BIGINT        NOT NULL COMMENT 'since the Unix epoch; the last write',
    owner      TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'for people to read',
    PRIMARY KEY (ns, worker_id)
) ENGINE = InnoDB COMMENT = 'recycled worker ids; never delete rows';
