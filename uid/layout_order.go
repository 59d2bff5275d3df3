package uid

// Order is the order of a layout's fields, from the sign down. In every order the tail is the
// lowest, and the turn bit lies above the sequence.
type Order uint8

const (
	// TimeWorkerSequence is Snowflake's: ids sort by time, and those of one tick by
	// worker.
	TimeWorkerSequence Order = iota

	// TimeSequenceWorker is Sonyflake's: ids sort by time, and those of one tick by
	// their number within it, so that workers take turns.
	TimeSequenceWorker

	// WorkerTimeSequence is Seata's: ids sort by worker, and only those of one worker by time.
	// Each worker fills its own pages, at one place in a database's index. The ids of a time are
	// not in one range, so MinID and MaxID return an error, and the ids of a worker id that a
	// generator acquires after it lost one may be smaller.
	WorkerTimeSequence

	orders // how many there are
)

// letters are the first letters of the fields' names, from the sign down; s is the turn and
// the sequence, side by side. All that depends on the order uses them. An Order that is not
// valid has those of one that is.
func (o Order) letters() string {
	return [...]string{"tws", "tsw", "wts"}[o%orders]
}

// inOrder returns where the bits of the fields are kept, in the order of the layout's text. It
// has either both turn and tail or neither.
func (l *Layout) inOrder(withTurn bool) (bits []*int) {
	for _, field := range l.Order.letters() {
		switch field {
		case 't':
			bits = append(bits, &l.TimeBits)
		case 'w':
			bits = append(bits, &l.WorkerBits)
		default:
			if withTurn {
				bits = append(bits, &l.TurnBits)
			}
			bits = append(bits, &l.SeqBits)
		}
	}
	if withTurn {
		bits = append(bits, &l.TailBits)
	}
	return bits
}
