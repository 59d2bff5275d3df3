package sqlstore

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// What the settings are worth, beside words of an error.
const (
	fenced = ""
	lossy  = "lossy"
)

func checks(t *testing.T, isLossy bool, err error, want string) {
	t.Helper()
	if want == fenced || want == lossy {
		require.NoError(t, err)
		assert.Equal(t, want == lossy, isLossy)
		return
	}
	assert.ErrorContains(t, err, want)
	// What is read-only may be a primary again soon: a start tries again.
	assert.Equal(t, want != "read-only", errors.Is(err, worker.ErrStore), err)
}

// What a real server shows is TestCheckMySQL's and TestCheckMariaDB's, in integration.
func TestMySQLClass(t *testing.T) {
	alone := map[string]string{
		"innodb_flush_log_at_trx_commit": "1", "read_only": "OFF", "innodb_read_only": "OFF",
		"log_bin": "OFF", "sync_binlog": "0", "sql_log_bin": "ON", "version": "8.4.3", "recent": "MySQL",
	}
	const primary = "log_bin=ON sync_binlog=1 binlog_format=ROW "
	const mariadb = primary + "rpl_semi_sync_master_enabled=ON rpl_semi_sync_master_status=ON " +
		"rpl_semi_sync_master_wait_point=AFTER_SYNC rpl_semi_sync_master_timeout=18446744073709551615 " +
		"rpl_semi_sync_master_wait_no_slave=ON rpl_semi_sync_master_clients=1 "
	mysql := strings.ReplaceAll(strings.ReplaceAll(mariadb, "master", "source"), "slave", "replica")
	const group = primary + "group_replication_single_primary_mode=ON " +
		"group_replication_start_on_boot=ON "
	for settings, want := range map[string]string{
		"":                                 fenced,
		"aurora_regions=1":                 fenced,
		"aurora_regions=2":                 lossy,
		"recent= version=5.7.44-log":       "MySQL 5.7.44-log",
		"innodb_flush_log_at_trx_commit=3": fenced,
		"read_only=NO_LOCK":                "read-only", // MariaDB 12
		"innodb_read_only=ON":              "read-only",
		"wsrep_on=ON":                      lossy,
		"slaves_running=10":                lossy,
		primary + "binlog_format=MIXED":    lossy,
		mariadb + "rpl_semi_sync_master_status=OFF":    lossy,
		mariadb + "rpl_semi_sync_master_timeout=10000": lossy,
		mariadb + "rpl_semi_sync_master_clients=0":     fenced,
		mariadb + "rpl_semi_sync_master_clients=2":     lossy,
		mariadb + "wsrep_on=ON":                        lossy,
		"sql_log_bin=OFF":                              fenced,

		"wsrep_on=OFF wsrep_provider_name=Galera": "wsrep_on is OFF",
		"wsrep_on=OFF wsrep_provider_name=":       fenced, // it is no node

		mysql + "rpl_semi_sync_source_wait_for_replica_count=1 " +
			"rpl_semi_sync_source_clients=2": lossy,
		mysql + "rpl_semi_sync_source_wait_for_replica_count=2 " +
			"rpl_semi_sync_source_clients=2": fenced,
		primary + "binlog_format=STATEMENT": "STATEMENT",
		group:                               lossy, // it may have left
		group + "writable_by=root":          lossy,
		group + "writable_by=mysql.session": fenced,
		group + "writable_by=mysql.session group_replication_single_primary_mode=OFF": lossy,
		group + "writable_by=mysql.session group_replication_start_on_boot=OFF":       lossy,
	} {
		t.Run(settings, func(t *testing.T) {
			s := maps.Clone(alone)
			for _, word := range strings.Fields(settings) {
				name, value, _ := strings.Cut(word, "=")
				s[name] = value
			}
			checks(t, mysqlLossy(s), mysqlFit(s, true), want)
		})
	}
}

// What one server shows is TestCheckPostgres'.
func TestPostgresClass(t *testing.T) {
	for name, c := range map[string]struct {
		s    postgresSettings
		want string
	}{
		"awaited":               {postgresSettings{awaited: "a", standbys: 1, slots: 1}, fenced},
		"one of two is awaited": {postgresSettings{awaited: "a", standbys: 2}, lossy},
		"any of two": {postgresSettings{awaited: "ANY 1 (a, b)", standbys: 2},
			lossy},
		"any of two, one is away": {postgresSettings{awaited: "ANY 1 (a, b)", standbys: 1},
			lossy},
		"both": {postgresSettings{awaited: "ANY 2 (a, b)", standbys: 2}, fenced},
		"both, and a third": {postgresSettings{awaited: "FIRST 2 (a, b)", standbys: 2, slots: 3},
			lossy},
		"whoever is there, one": {postgresSettings{awaited: "*", standbys: 1}, fenced},
		"whoever is there, two": {postgresSettings{awaited: "*", standbys: 2}, lossy},
		"both of whoever":       {postgresSettings{awaited: "ANY 2 (*)", standbys: 2}, fenced},
		"a log elsewhere, not awaited": {postgresSettings{keepers: "sk-1", slots: 1},
			lossy},
		"one region":  {postgresSettings{regions: 1}, fenced},
		"two regions": {postgresSettings{regions: 2}, lossy},
	} {
		t.Run(name, func(t *testing.T) {
			c.s.fsync = "on"
			checks(t, c.s.lossy(), c.s.fit(), c.want)
		})
	}
}

func TestSynchronousStandbyNames(t *testing.T) {
	for names, want := range map[string][2]int{
		"": {0, 0}, "a": {1, 1}, "a, b": {1, 2}, "*": {1, 1}, `"*"`: {1, 1}, `"a-1",b`: {1, 2},
		"FIRST 1 (a, b)": {1, 2}, "first 2(a,b,c)": {2, 3}, "ANY 2 ( a , b )": {2, 2},
		"any 1 (*)": {1, 1}, "*, a": {1, 2}, "2 (a, b)": {2, 2},
		" ANY 1 (any1, \"first 2\")": {1, 2}, "first_one": {1, 1}, "2": {1, 1}, "ANY 10 (*)": {10, 1},
	} {
		awaited, named := synchronous(names)
		assert.Equal(t, want, [2]int{awaited, named}, names)
	}
}
