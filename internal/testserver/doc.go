// Package testserver starts real servers for tests: MariaDB, MySQL, PostgreSQL,
// Redis, ZooKeeper and etcd, whatever of them is installed.
//
//	db := testserver.MariaDB(t)
//	conn, err := sql.Open("mysql", db.DSN())
//
// Each call starts a server of its own, on a free loopback port and in a
// temporary folder, and stops it when the test ends; most are up in a quarter of
// a second. Should the test binary be killed, the kernel kills the server too
// (on Linux).
//
// A server that is not installed skips the test, by name. With UID_TEST_REQUIRE
// set to "all", or to a list of names such as "mariadb,redis" that has it, the
// test fails instead. Missing holds other programs to the same rule.
//
// With UID_TEST_SERVERS set to a list of folders, as PATH is one, servers come from those
// folders alone, and one that is not there is missing: scripts/current-servers.sh makes some.
//
// Servers do not wait for the disk unless they are asked to be Durable: they
// survive Stop and Start either way, but only a durable one keeps after Kill
// everything that it acknowledged.
//
// PostgresStandby starts a standby of a PostgreSQL.
//
// EtcdCluster and ZooKeeperEnsemble start several servers that keep one state, and
// say who leads.
//
// A Proxy in front of a server makes the faults of a network, above all the
// worst one: the request arrives, the answer does not.
package testserver
