-- version
SELECT 'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1)
-- schema
CREATE SCHEMA IF NOT EXISTS uid_keys
-- end
DROP SCHEMA uid_keys CASCADE
-- may fail
CREATE EXTENSION IF NOT EXISTS pgstattuple;
CREATE EXTENSION IF NOT EXISTS pg_walinspect
-- primary
parent_pkey
-- foreign
child_parent
-- number
bigint
-- uuid
uuid
-- octets
bytea
-- identity
GENERATED ALWAYS AS IDENTITY
-- tables
DROP TABLE IF EXISTS child, parent, uid_lease, uid_lease_head;
CREATE TABLE parent (
    id     {key} {identity} PRIMARY KEY,
    made   timestamptz NOT NULL,
    filler bytea NOT NULL
);
CREATE TABLE child (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    parent {key} NOT NULL REFERENCES parent ON DELETE CASCADE
);
CREATE INDEX child_parent ON child (parent);
CHECKPOINT
-- insert
WITH p AS (
    INSERT INTO parent (id, made, filler) VALUES ($1, clock_timestamp(), $2) RETURNING id
)
INSERT INTO child (parent) SELECT id FROM p
-- insert a row that gets its key
WITH p AS (
    INSERT INTO parent (made, filler) VALUES (clock_timestamp(), $1) RETURNING id
)
INSERT INTO child (parent) SELECT id FROM p
-- position
SELECT pg_current_wal_flush_lsn() - pg_lsn '0/0'
-- splits since then
SELECT coalesce(sum(count), 0)
FROM pg_get_wal_stats(pg_lsn '0/0' + {since}, pg_current_wal_flush_lsn(), true)
WHERE "resource_manager/record_type" LIKE 'Btree/SPLIT%'
-- analyze
ANALYZE parent, child
-- index
SELECT unnest(ARRAY[leaf_pages * current_setting('block_size')::bigint, avg_leaf_density])
FROM pgstatindex('{index}')
-- bytes
SELECT pg_relation_size('{index}')
-- keys
SELECT quote_literal(id) FROM parent ORDER BY made
-- explain
EXPLAIN (ANALYZE, BUFFERS)
-- vacuum
VACUUM (INDEX_CLEANUP ON) parent, child
