package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// ZooKeeper starts a standalone server. Its tick is 200 ms, so sessions may be
// as short as 400 ms; they may be as long as a minute.
var ZooKeeper = starter(kindZooKeeper)

// ZooKeeperEnsemble starts an ensemble of n servers. A server that is silent for 25 ticks
// counts as gone.
var ZooKeeperEnsemble = clusters(kindZooKeeper)

var kindZooKeeper = kind{
	name: "ZooKeeper",
	install: "apt-get install zookeeper default-jre-headless (looked for: " +
		"/usr/share/java/zookeeper.jar and java)",
	find:    findZooKeeper,
	prepare: (*Server).writeZooCfg,
	// For a server that lives for seconds. With a configuration that names no other servers, this
	// runs a standalone one.
	args: func(s *Server) []string {
		return []string{"-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
			"-Dzookeeper.jmx.log4j.disable=true", "-cp", zooKeeperClasses(),
			"org.apache.zookeeper.server.quorum.QuorumPeerMain", s.zooCfg()}
	},
	fast:   []string{"forceSync=no"},
	inFile: true,
	// Not ruok, to which a server answers imok before it serves.
	ready: question{text: "srvr", answer: "\nMode: (standalone|leader|follower)\n"},
	url:   "zk://%s/ringuid",
}

// findZooKeeper finds the java program that runs ZooKeeper.
func findZooKeeper() (string, bool) {
	if _, ok := findZooKeeperJar(); !ok {
		return "", false
	}
	java, err := exec.LookPath("java")
	return java, err == nil
}

const zooKeeperJar = "zookeeper.jar"

var findZooKeeperJar = finder(zooKeeperJar, "/usr/share/java/"+zooKeeperJar)

// zooKeeperClasses returns Java's class path. Debian's jar names the jars that it needs, and
// where they are when they are installed. In a folder of UID_TEST_SERVERS all jars are used.
// They come before that jar (a dash sorts before a dot), because the names in it would lead to
// the installed ones.
func zooKeeperClasses() string {
	jar, ok := findZooKeeperJar()
	if _, _, only := appointed(zooKeeperJar); !ok || !only {
		return jar
	}
	jars, _ := filepath.Glob(filepath.Join(filepath.Dir(jar), "*.jar"))
	return strings.Join(jars, string(filepath.ListSeparator))
}

func (s *Server) zooCfg() string { return filepath.Join(s.dir, "zoo.cfg") }

func (s *Server) writeZooCfg() error {
	lines := []string{
		"tickTime=200",
		"dataDir=" + s.dataDir(),
		fmt.Sprint("clientPort=", s.port),
		"clientPortAddress=127.0.0.1",
		"admin.enableServer=false",
		"maxClientCnxns=0",
		"maxSessionTimeout=60000",
		"4lw.commands.whitelist=*",
		"preAllocSize=256", // KB of a log, so that a copy is small
		// Else members that miss each other as they start wait ever longer.
		"fastleader.maxNotificationInterval=400", "cnxTimeout=1000",
	}
	if s.members != nil {
		lines = append(lines, "initLimit=50", "syncLimit=25")
		if err := os.MkdirAll(s.dataDir(), 0o700); err != nil {
			return err
		}
	}
	for i, m := range s.members {
		lines = append(lines, fmt.Sprintf("server.%d=127.0.0.1:%d:%d", i+1, m.peer, m.vote))
		if m != s {
			continue
		}
		myid := filepath.Join(s.dataDir(), "myid")
		if err := os.WriteFile(myid, []byte(strconv.Itoa(i+1)), 0o600); err != nil {
			return err
		}
	}
	text := strings.Join(append(lines, s.settings()...), "\n") + "\n"
	return os.WriteFile(s.zooCfg(), []byte(text), 0o600)
}
