package uid

// Order is the order of a layout's fields, from the sign down. The tail is the lowest in
// all of them, and the turn bit lies above the sequence.
type Order uint8

const (
	// TimeWorkerSequence is Snowflake's: ids sort by time, and those of one tick by
	// worker.
	TimeWorkerSequence Order = iota

	// TimeSequenceWorker is Sonyflake's: ids sort by time, and those of one tick by
	// their number within it, so that workers take turns.
	TimeSequenceWorker

	// WorkerTimeSequence is Seata's: ids sort by worker, and only those of one worker by
	// time. Each worker fills pages of its own at one place of a database's index. The
	// ids of a time are not in one range, so that MinID and MaxID have an error, and
	// ids of a worker id that a generator acquires after it lost one may be smaller.
	WorkerTimeSequence

	orders // how many there are
)

// downwards puts what belongs to the fields above the tail into their order, from the
// highest to the lowest. It is the one place here that knows; bench, which needs the order of
// layouts that are not valid, too, has another.
func downwards[T any](o Order, time, worker, turn, seq T) [4]T {
	switch o {
	case TimeSequenceWorker:
		return [...]T{time, turn, seq, worker}
	case WorkerTimeSequence:
		return [...]T{worker, time, turn, seq}
	}
	return [...]T{time, worker, turn, seq}
}

// letters are the first of the fields' names, as ParseLayout reads them.
func (o Order) letters() string {
	letters := downwards(o, "t", "w", "", "s")
	return joined(letters[:], "")
}

// joined joins what is not empty.
func joined(words []string, between string) (s string) {
	for _, w := range words {
		if s != "" && w != "" {
			s += between
		}
		s += w
	}
	return s
}
