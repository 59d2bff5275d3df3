package sweep

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// Experiment is a measurement that somebody else published, for Config to
// repeat.
type Experiment struct {
	Name   string
	Source string    // where Rates were read
	Rates  []float64 // ids a second, one for each combination in order
}

// The experiments of Baidu's README.
const (
	ExperimentTimeBits   = "time-bits"   // 25 to 32 time bits, 20 worker bits
	ExperimentWorkerBits = "worker-bits" // 20 to 29 worker bits, 31 time bits
	ExperimentConsumers  = "consumers"   // 1 to 8 goroutines, 31 time bits, 23 worker bits
)

const baiduReadme = "the README of github.com/baidu/uid-generator, on a MacBook Pro with a 2.7 " +
	"GHz Core i5"

// Experiments are the names that BaiduExperiment knows.
func Experiments() []string {
	return []string{ExperimentTimeBits, ExperimentWorkerBits, ExperimentConsumers}
}

// BaiduExperiment sets up a sweep that repeats one of the three measurements in the
// README of Baidu's UidGenerator, whose rates it quotes:
//
//	https://github.com/baidu/uid-generator#throughput
//
// The sequence has the bits that time and worker leave. Boost power and padding factor
// are Baidu's defaults, which are also ours. The README does not say how many consumers
// the first two had: here there are GOMAXPROCS.
//
// The smallest layout lasts for a year after the epoch, and the load borrows
// millions of seconds of it: choose a day in the recent past. An unknown name is
// an error that wraps bench.ErrConfig.
func BaiduExperiment(name string, epoch time.Time) (Config, error) {
	c := Config{Goroutines: []int{runtime.GOMAXPROCS(0)}, BoostPowers: []int{3},
		PaddingFactors: []int{50}}
	layout := func(timeBits, workerBits int) uid.Layout {
		return uid.Layout{
			Epoch: epoch, Unit: time.Second,
			TimeBits: timeBits, WorkerBits: workerBits, SeqBits: 63 - timeBits - workerBits,
		}
	}
	e := &Experiment{Name: name, Source: baiduReadme}
	switch name {
	case ExperimentTimeBits:
		e.Rates = []float64{6831465, 7007279, 6679625, 6499205, 6534971, 7617440, 6186930, 6364997}
		for i := range e.Rates {
			c.Layouts = append(c.Layouts, layout(25+i, 20))
		}
	case ExperimentWorkerBits:
		e.Rates = []float64{6186930, 6642727, 6581661, 6462726, 6774609, 6414906, 6806266, 6223617,
			6438055, 6435549}
		for i := range e.Rates {
			c.Layouts = append(c.Layouts, layout(31, 20+i))
		}
	case ExperimentConsumers:
		e.Rates = []float64{6462726, 6542259, 6077717, 6377958, 7002410, 6599113, 7360934, 6490969}
		c.Layouts, c.Goroutines = []uid.Layout{layout(31, 23)}, nil
		for i := range e.Rates {
			c.Goroutines = append(c.Goroutines, 1+i)
		}
	default:
		return Config{}, fmt.Errorf("%w: no experiment %q, there are: %s", bench.ErrConfig, name,
			strings.Join(Experiments(), ", "))
	}
	c.Experiment = e
	return c, nil
}
