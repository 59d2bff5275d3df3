-- One row for each worker id of a layout that is recycled. Ticks count unit_ms from the
-- Unix epoch. Rows may be deleted at any time. Names are bytes, so that no collation makes
-- two of them equal.
CREATE TABLE IF NOT EXISTS uid_lease (
    layout     VARBINARY(255) NOT NULL,
    worker_id  BIGINT         NOT NULL,
    unit_ms    BIGINT         NOT NULL COMMENT 'length of a tick',
    window_ms  BIGINT         NOT NULL COMMENT 'how far ahead of now a grant may end',
    nonce      BINARY(16)     NOT NULL COMMENT 'of the last write: each has its own',
    held       BOOLEAN        NOT NULL,
    high_tick  BIGINT         NULL COMMENT 'no later tick was ever granted; NULL: nobody may take it yet',
    expires_ms BIGINT         NULL COMMENT 'since the Unix epoch; may be taken over from then on',
    renewed_ms BIGINT         NULL COMMENT 'since the Unix epoch; the last write; NULL: nobody had it',
    owner      TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'for people to read',
    PRIMARY KEY (layout, worker_id)
) ENGINE = InnoDB COMMENT = 'recycled worker ids';

-- For each layout the server that granted last, and above which tick it may.
CREATE TABLE IF NOT EXISTS uid_lease_head (
    layout     VARBINARY(255) NOT NULL,
    epoch      VARBINARY(255) NOT NULL COMMENT 'the server that floor_tick was set for',
    floor_tick BIGINT         NOT NULL COMMENT 'every grant of that server is at or above it',
    slack_ms   BIGINT         NOT NULL COMMENT 'how far clocks may differ, the most that any process said',
    PRIMARY KEY (layout)
) ENGINE = InnoDB COMMENT = 'servers that granted recycled worker ids';
