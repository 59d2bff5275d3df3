-- version
SELECT IF(VERSION() LIKE '%MariaDB%', CONCAT('MariaDB ', SUBSTRING_INDEX(VERSION(), '-', 1)),
    CONCAT('MySQL ', SUBSTRING_INDEX(VERSION(), '-', 1)))
-- schema
CREATE DATABASE IF NOT EXISTS uid_keys
-- end
DROP DATABASE uid_keys
-- may fail
SET GLOBAL innodb_monitor_enable = 'index_page_splits';
SET GLOBAL innodb_monitor_reset = 'index_page_splits'
-- primary
table_name = 'parent' AND index_name = 'PRIMARY'
-- foreign
table_name = 'child' AND index_name = 'child_parent'
-- number
BIGINT
-- uuid
BINARY(16)
-- octets
BINARY(16)
-- identity
AUTO_INCREMENT
-- tables
DROP TABLE IF EXISTS child, parent, uid_lease, uid_lease_head;
CREATE TABLE parent (
    id     {key} {identity} PRIMARY KEY,
    made   DATETIME(6) NOT NULL,
    filler BINARY(92) NOT NULL
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;
CREATE TABLE child (
    id     BIGINT AUTO_INCREMENT PRIMARY KEY,
    parent {key} NOT NULL,
    KEY child_parent (parent),
    FOREIGN KEY (parent) REFERENCES parent (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC
-- insert
BEGIN;
SET @id = ?;
INSERT INTO parent (id, made, filler) VALUES (@id, NOW(6), ?);
INSERT INTO child (parent) VALUES (@id);
COMMIT
-- insert a row that gets its key
BEGIN;
INSERT INTO parent (made, filler) VALUES (NOW(6), ?);
INSERT INTO child (parent) VALUES (LAST_INSERT_ID());
COMMIT
-- position
SHOW GLOBAL STATUS
WHERE Variable_name IN ('Innodb_lsn_current', 'Innodb_redo_log_current_lsn')
-- splits since then
SELECT COUNT_RESET FROM information_schema.INNODB_METRICS
WHERE NAME = 'index_page_splits' AND TIME_ENABLED IS NOT NULL
-- analyze
ANALYZE TABLE parent, child
-- bytes
SELECT @@innodb_page_size * IF(leaves = 1 AND pages > 1, pages - 1, leaves)
    -- MariaDB says 1 leaf page where there are few; then all others but the root are leaves
FROM (
    SELECT MAX(IF(stat_name = 'n_leaf_pages', stat_value, 0)) AS leaves,
        MAX(IF(stat_name = 'size', stat_value, 0)) AS pages
    FROM mysql.innodb_index_stats WHERE database_name = 'uid_keys' AND {index}
) AS stats
-- keys
SELECT IF('{key}' = 'BIGINT', id, CONCAT('0x', HEX(id))) FROM parent ORDER BY made
-- reads
SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_requests'
-- left
SELECT COUNT FROM information_schema.INNODB_METRICS WHERE NAME = 'trx_rseg_history_len'
