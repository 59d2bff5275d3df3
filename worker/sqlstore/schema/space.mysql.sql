-- What namespaces leave behind: for each layout, which worker ids they ever had,
-- and their longest window. Never delete rows.
CREATE TABLE IF NOT EXISTS uid_space (
    fingerprint VARBINARY(255) NOT NULL COMMENT 'the layout',
    record      MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'JSON',
    PRIMARY KEY (fingerprint)
) ENGINE = InnoDB COMMENT = 'worker ids that namespaces ever had; never delete rows';
