// Package orm has the code that docs/guide.md shows for ids as keys, and the tests that run it on
// real databases.
// What is to be copied from is in sql_test.go, pgx_test.go, gorm_test.go, sharding_test.go (GORM's
// plugin) and ent_test.go; the other files start databases for them, or try what must not work.
package orm
