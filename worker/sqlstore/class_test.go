package sqlstore

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// checks says what Check must answer: a class, or a word of the error.
func checks(t *testing.T, class worker.Class, err error, want any) {
	t.Helper()
	if word, ok := want.(string); ok {
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, word)
		return
	}
	require.NoError(t, err)
	assert.Equal(t, want, class)
}

// What a real server shows is TestCheckMySQL's and TestCheckMariaDB's, in integration.
func TestMySQLClass(t *testing.T) {
	alone := map[string]string{
		"innodb_flush_log_at_trx_commit": "1", "autocommit": "ON", "isolation": "REPEATABLE-READ",
		"read_only": "OFF", "innodb_read_only": "OFF", "log_bin": "OFF", "sync_binlog": "0",
		"sql_log_bin": "ON", "version": "8.4.3",
	}
	const primary = "log_bin=ON sync_binlog=1 binlog_format=ROW "
	const mariadb = primary + "rpl_semi_sync_master_enabled=ON rpl_semi_sync_master_status=ON " +
		"rpl_semi_sync_master_wait_point=AFTER_SYNC rpl_semi_sync_master_timeout=18446744073709551615 " +
		"rpl_semi_sync_master_wait_no_slave=ON rpl_semi_sync_master_clients=1 "
	mysql := strings.ReplaceAll(strings.ReplaceAll(mariadb, "master", "source"), "slave", "replica")
	const group = primary + "group_replication_single_primary_mode=ON " +
		"group_replication_start_on_boot=ON "
	for settings, want := range map[string]any{
		"":                                 worker.Fenced,
		"version=5.7.44-log":               "MySQL 5.7.44-log",
		"innodb_flush_log_at_trx_commit=3": worker.Fenced,
		"isolation=READ-COMMITTED":         worker.Fenced,
		"read_only=NO_LOCK":                "read-only", // MariaDB 12
		"innodb_read_only=ON":              "read-only",
		"wsrep_on=ON":                      worker.FencedLossy,
		primary + "binlog_format=MIXED":    worker.FencedLossy,
		mariadb + "rpl_semi_sync_master_status=OFF":    worker.FencedLossy,
		mariadb + "rpl_semi_sync_master_timeout=10000": worker.FencedLossy,
		mariadb + "rpl_semi_sync_master_clients=0":     worker.Fenced,
		mariadb + "rpl_semi_sync_master_clients=2":     worker.FencedLossy,
		mariadb + "wsrep_on=ON":                        worker.FencedLossy,
		"sql_log_bin=OFF":                              worker.Fenced,

		mysql + "rpl_semi_sync_source_wait_for_replica_count=1 " +
			"rpl_semi_sync_source_clients=2": worker.FencedLossy,
		mysql + "rpl_semi_sync_source_wait_for_replica_count=2 " +
			"rpl_semi_sync_source_clients=2": worker.Fenced,
		group:                               worker.FencedLossy, // it may have left
		group + "writable_by=root":          worker.FencedLossy,
		group + "writable_by=mysql.session": worker.Fenced,
		group + "writable_by=mysql.session group_replication_single_primary_mode=OFF": worker.FencedLossy,
		group + "writable_by=mysql.session group_replication_start_on_boot=OFF":       worker.FencedLossy,
	} {
		t.Run(settings, func(t *testing.T) {
			s := maps.Clone(alone)
			for _, word := range strings.Fields(settings) {
				name, value, _ := strings.Cut(word, "=")
				s[name] = value
			}
			class, err := mysqlClass(s)
			checks(t, class, err, want)
			if _, refused := want.(string); !refused {
				assert.NoError(t, mysqlFit(s), "for Disposable")
			}
		})
	}
}

// What one server shows is TestCheckPostgres'.
func TestPostgresClass(t *testing.T) {
	for name, c := range map[string]struct {
		s    postgresSettings
		want any
	}{
		"awaited":               {postgresSettings{awaited: "a", standbys: 1, slots: 1}, worker.Fenced},
		"one of two is awaited": {postgresSettings{awaited: "a", standbys: 2}, worker.FencedLossy},
		"any of two": {postgresSettings{awaited: "ANY 1 (a, b)", standbys: 2},
			worker.FencedLossy},
		"any of two, one is away": {postgresSettings{awaited: "ANY 1 (a, b)", standbys: 1},
			worker.FencedLossy},
		"both": {postgresSettings{awaited: "ANY 2 (a, b)", standbys: 2}, worker.Fenced},
		"both, and a third": {postgresSettings{awaited: "FIRST 2 (a, b)", standbys: 2, slots: 3},
			worker.FencedLossy},
		"whoever is there, one": {postgresSettings{awaited: "*", standbys: 1}, worker.Fenced},
		"whoever is there, two": {postgresSettings{awaited: "*", standbys: 2}, worker.FencedLossy},
		"both of whoever":       {postgresSettings{awaited: "ANY 2 (*)", standbys: 2}, worker.Fenced},
	} {
		t.Run(name, func(t *testing.T) {
			c.s.fsync = "on"
			class, err := c.s.class()
			checks(t, class, err, c.want)
		})
	}
}

func TestSynchronousStandbyNames(t *testing.T) {
	for names, want := range map[string][2]int{
		"": {0, 0}, "a": {1, 1}, "a, b": {1, 2}, "*": {1, 0}, `"*"`: {1, 0}, `"a-1",b`: {1, 2},
		"FIRST 1 (a, b)": {1, 2}, "first 2(a,b,c)": {2, 3}, "ANY 2 ( a , b )": {2, 2},
		"any 1 (*)": {1, 0}, "2 (a, b)": {2, 2},
		" ANY 1 (any1, \"first 2\")": {1, 2}, "first_one": {1, 1}, "2": {1, 1}, "ANY 10 (*)": {10, 0},
	} {
		awaited, named := synchronous(names)
		assert.Equal(t, want, [2]int{awaited, named}, names)
	}
}

// MySQL before 8.0 continues from the highest row that is left.
func TestVersionsThatAreTooOld(t *testing.T) {
	for text, old := range map[string]bool{
		"5.6.24":                             true,
		"5.7.44-log":                         true,
		"8.0.36":                             false,
		"8.4.3-commercial":                   false,
		"9.7.4":                              false,
		"8.0.11-TiDB-v7.5.0":                 false,
		"10.2.3-MariaDB":                     true,
		"10.3.39-MariaDB-log":                false,
		"10.11.6-MariaDB-0+deb12u1":          false,
		"5.5.5-10.1.48-MariaDB":              true,
		"5.5.5-10.6.18-MariaDB-1:10.6.18+md": false,
		"11.8.9-MariaDB":                     false,
		"a proxy that says nothing":          true,
	} {
		assert.Equal(t, old, tooOld(text), text)
	}
}
