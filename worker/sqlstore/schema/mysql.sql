-- One row for each start of a process; ID is its worker id. The columns are those
-- of WORKER_NODE in Baidu's UidGenerator, whose processes may share the table.
-- Never delete rows and never truncate: ids must not come back.
CREATE TABLE IF NOT EXISTS WORKER_NODE (
    ID          BIGINT      NOT NULL AUTO_INCREMENT COMMENT 'worker id, one per start',
    HOST_NAME   VARCHAR(64) NOT NULL                COMMENT 'address or name',
    PORT        VARCHAR(64) NOT NULL                COMMENT 'published port, or start in ms and a random number',
    TYPE        INT         NOT NULL                COMMENT '1 container, 2 actual machine',
    LAUNCH_DATE DATE        NOT NULL                COMMENT 'day of the start',
    MODIFIED    TIMESTAMP   NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
    CREATED     TIMESTAMP   NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (ID)
) ENGINE = InnoDB COMMENT = 'worker ids of unique id generators; never delete rows';
