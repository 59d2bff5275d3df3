-- What namespaces leave behind: for each layout, which worker ids they ever had,
-- and their longest window. Never delete rows.
CREATE TABLE IF NOT EXISTS uid_space (
    fingerprint TEXT COLLATE "C" PRIMARY KEY, -- the layout
    record      TEXT COLLATE "C" NOT NULL -- JSON
);
