-- One row for each start of a process; id is its worker id.
-- Never delete rows, never truncate, never restart the identity: ids must not
-- come back.
CREATE TABLE IF NOT EXISTS WORKER_NODE (
    ID          BIGINT      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    HOST_NAME   VARCHAR(64) NOT NULL, -- address or name
    PORT        VARCHAR(64) NOT NULL, -- published port, or start in ms and a random number
    TYPE        INT         NOT NULL, -- 1 container, 2 actual machine
    LAUNCH_DATE DATE        NOT NULL,
    MODIFIED    TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CREATED     TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP
);
