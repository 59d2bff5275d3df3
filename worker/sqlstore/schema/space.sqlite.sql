-- What namespaces leave behind: for each layout, which worker ids they ever had,
-- and their longest window. Never delete rows.
CREATE TABLE IF NOT EXISTS uid_space (
    fingerprint TEXT NOT NULL PRIMARY KEY, -- the layout
    record      TEXT NOT NULL -- JSON
);
