// Package testserver starts real servers for tests: MariaDB, MySQL, PostgreSQL, Redis,
// ZooKeeper and etcd, those of them that are installed.
//
//	db := testserver.MariaDB(t)
//	conn, err := sql.Open("mysql", db.DSN())
//
// Each call starts a server of its own, on a free loopback port and in a
// temporary folder, and stops it when the test ends; most are up in a quarter of
// a second. Should the test binary be killed, the kernel kills the server too
// (on Linux).
//
// A test whose server is not installed is skipped, by the server's name. With UID_TEST_REQUIRE
// set to "all", or to a list of names such as "mariadb,redis" that has it, the test fails
// instead. Missing applies the same rule to other programs.
//
// With UID_TEST_SERVERS set to a list of folders, in the form of PATH, servers come only from
// those folders, and one that is not there is missing. scripts/current-servers.sh makes such
// folders.
//
// Servers do not wait for the disk unless they are asked to be Durable. Either way they survive
// Stop and Start, but after Kill only a durable one has everything that it acknowledged.
//
// A Proxy in front of a server causes the faults of a network, above all the worst one: the
// request arrives, but the answer does not.
package testserver
