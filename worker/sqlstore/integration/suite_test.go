package integration

import (
	"testing"

	"github.com/ringuid/ringuid/internal/testserver"
)

// TestStore runs every test on an empty database of each dialect. Those of one
// dialect share a server; tests that stop it have one of their own (loss_test.go).
func TestStore(t *testing.T) {
	for dialect, on := range dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			e := on(t, testserver.Durable())
			for _, c := range suite {
				t.Run(c.name, func(t *testing.T) { c.test(t, e.fresh(t)) })
			}
			if e.server == nil {
				return
			}
			for _, c := range serverSuite {
				t.Run(c.name, func(t *testing.T) { c.test(t, e.fresh(t)) })
			}
		})
	}
}

type testCase struct {
	name string
	test func(*testing.T, env)
}

var suite = []testCase{
	{"keys count up from one", testKeysCountUp},
	{"Disposable takes the keys", testDisposable},
	{"Init leaves what is there", testInitTwice},
	{"many Init at once", testManyInit},
	{"Schema is what Init applies", testSchema},
	{"processes and Java share a table", testSharedTable},
	{"ids of deleted rows stay away", testDeletedRows},
	{"no table", testNoTable},
	{"table with other columns", testOtherColumns},
	{"table with a column more", testColumnMore},
	{"key that does not count", testKeyThatDoesNotCount},
	{"key that counts from what is left", testKeyThatComesBack},
	{"Init finds a table of another shape", testInitFindsShape},
	{"context that has ended", testContextEnded},
}

// serverSuite is about what a file does not have: users, a network.
var serverSuite = []testCase{
	{"no database", testNoDatabase},
	{"wrong password", testWrongPassword},
	{"user without rights", testUserWithoutRights},
	{"user who may not see which worker ids are leased", testUserWithoutPools},
	{"user with the rights asked for", testUserWithRights},
	{"connection lost between INSERT and answer", testAnswerLost},
	{"context that ends during Register", testContextEnds},
}
