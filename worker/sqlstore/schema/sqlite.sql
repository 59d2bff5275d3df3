-- One row for each start of a process; ID is its worker id. Without AUTOINCREMENT
-- SQLite gives the id of a deleted row again. Never delete rows all the same.
CREATE TABLE IF NOT EXISTS WORKER_NODE (
    ID          INTEGER     PRIMARY KEY AUTOINCREMENT,
    HOST_NAME   VARCHAR(64) NOT NULL, -- address or name
    PORT        VARCHAR(64) NOT NULL, -- published port, or start in ms and a random number
    TYPE        INT         NOT NULL, -- 1 container, 2 actual machine
    LAUNCH_DATE DATE        NOT NULL,
    MODIFIED    TIMESTAMP   NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CREATED     TIMESTAMP   NOT NULL DEFAULT CURRENT_TIMESTAMP
);
