-- The highest key of WORKER_NODE, on servers that forget it at a restart.
CREATE TABLE IF NOT EXISTS uid_key (
    one     TINYINT NOT NULL COMMENT '1',
    highest BIGINT  NOT NULL COMMENT 'no process was ever given a higher key; it never sinks',
    PRIMARY KEY (one)
) ENGINE = InnoDB COMMENT = 'the highest key of WORKER_NODE';

INSERT IGNORE INTO uid_key SELECT 1, COALESCE(MAX(ID), 0) FROM WORKER_NODE;
