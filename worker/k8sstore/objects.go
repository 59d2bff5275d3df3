package k8sstore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ringuid/ringuid/worker/internal/namespaces"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// The labels by which Leases are found, and the annotations that hold what decides.
// What their spec shows is for people.
const (
	group          = "ringuid.github.io/"
	labelNamespace = group + "namespace" // keyOf its name
	labelLayout    = group + "layout"    // keyOf its fingerprint
	rowAnnotation  = group + "row"       // rowtext.Row
	termsName      = group + "terms"     // terms
	podAnnotation  = group + "pod"       // who wrote it: pod.String
)

// pointer is where a label or an annotation is in an object, for a patch.
func pointer(in, key string) string {
	return "/metadata/" + in + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

var (
	rowPath    = pointer("annotations", rowAnnotation)
	termsPath  = pointer("annotations", termsName)
	podPath    = pointer("annotations", podAnnotation)
	layoutPath = pointer("labels", labelLayout)
)

// plain are texts that may be in the name of an object, and in a label, as they are.
var plain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$`)

// keyOf is a text as it is in names and labels: another one for each text.
func keyOf(text string) string {
	if plain.MatchString(text) && !strings.HasPrefix(text, "x-") {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return "x-" + hex.EncodeToString(sum[:16])
}

func (s *Store) leaseName(namespace string, id int64) string {
	return s.labelledName(keyOf(namespace), id)
}

// labelledName is the name of a Lease by the label of its namespace.
func (s *Store) labelledName(label string, id int64) string {
	return s.name + "-" + label + "-" + strconv.FormatInt(id, 10)
}

// terms are what a write compares besides its row: a copy, in each row, of what was
// settled for all of them. See the package's documentation.
type terms struct {
	Namespace   string `json:"namespace"`
	Fingerprint string `json:"fingerprint"`
	UnitMillis  int64  `json:"unit_ms"`
	Window      int64  `json:"window"`
	Floor       int64  `json:"floor"`

	// Closed: no write is applied until somebody opens the row, who has seen that the
	// namespace has its worker id. A new random text each time.
	Closed string `json:"closed,omitempty"`

	// New: nobody has opened the row since it was created. It says who created it, by a
	// random text.
	New string `json:"new,omitempty"`
}

func termsOf(n store.Namespace) terms {
	return terms{
		Namespace: n.Name, Fingerprint: n.Fingerprint, UnitMillis: n.Unit.Milliseconds(),
		Window: n.Window, Floor: n.Floor,
	}
}

func (t terms) unit() time.Duration { return time.Duration(t.UnitMillis) * time.Millisecond }

// namespace is as much of one as a write needs.
func (t terms) namespace() store.Namespace {
	return store.Namespace{
		Name: t.Namespace, Fingerprint: t.Fingerprint, Unit: t.unit(),
		Window: t.Window, Floor: t.Floor,
	}
}

// closed are t when nothing may be written by them.
func (t terms) closed() terms {
	t.Closed = newNonce().String()
	return t
}

func (t terms) String() string {
	text, _ := json.Marshal(t) // of such a type, always
	return string(text)
}

// row is a row as it is stored, in a Lease.
type row struct {
	store.Row
	lease       string
	text        string // of the annotation
	terms       terms
	termsText   string
	pod         string
	transitions int32
	version     int64 // 0 when the server does not count
}

// under is the row with terms of n. What an earlier namespace left may count ticks of another
// unit: then it gets another High, and with it another nonce.
func (r row) under(t terms, n store.Namespace) row {
	if high := namespaces.Recount(r.High, r.terms.unit(), n); high != r.High {
		r.High, r.Nonce = high, newNonce()
	}
	r.terms = t
	return r
}

// same: nobody has written it since. Its texts alone would not say that, since a row that
// is closed and opened under the same floor has those that it had.
func (r row) same(was row) bool {
	return r.text == was.text && r.termsText == was.termsText && r.version == was.version
}

// parser reads Leases. It remembers the terms that it read last: a start reads hundreds of
// rows, nearly all of which have the same.
type parser struct {
	store     *Store
	termsText string
	terms     terms
	label     string // keyOf the terms' namespace
}

// parse reads a Lease. Its error wraps store.ErrStore.
func (p *parser) parse(l *coordinationv1.Lease) (row, error) {
	r := row{
		lease: l.Name, version: versionOf(l.ResourceVersion),
		text: l.Annotations[rowAnnotation], termsText: l.Annotations[termsName],
		pod: l.Annotations[podAnnotation],
	}
	if n := l.Spec.LeaseTransitions; n != nil {
		r.transitions = *n
	}
	id, err := p.worker(l, r.termsText)
	if err != nil {
		return row{}, fmt.Errorf(
			"%w: the Lease %s has the label %s and was not made by this program, or was edited: %w; take "+
				"the label from it, or put its annotations back",
			store.ErrStore, l.Name, labelNamespace, err)
	}
	r.terms = p.terms
	r.Row, err = rowtext.ParseRow(id, []byte(r.text))
	return r, err
}

// worker is the worker id of a Lease, and p.terms are then the Lease's.
func (p *parser) worker(l *coordinationv1.Lease, termsText string) (int64, error) {
	id, err := strconv.ParseInt(l.Name[strings.LastIndexByte(l.Name, '-')+1:], 10, 64)
	if err == nil && (p.label == "" || p.termsText != termsText) {
		var t terms
		if err = json.Unmarshal([]byte(termsText), &t); err == nil {
			p.termsText, p.terms, p.label = termsText, t, keyOf(t.Namespace)
		}
	}
	if err == nil && (l.Name != p.store.labelledName(p.label, id) ||
		l.Labels[labelNamespace] != p.label) {
		err = fmt.Errorf("it is not a worker id of namespace %q", p.terms.Namespace)
	}
	return id, err
}

// object is the Lease of a row that is not there yet.
func (s *Store) object(t terms, r store.Row) *coordinationv1.Lease {
	transitions := int32(0)
	renewed := metav1.NewMicroTime(r.Renewed)
	return &coordinationv1.Lease{
		TypeMeta: metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"},
		ObjectMeta: metav1.ObjectMeta{
			Name: s.leaseName(t.Namespace, r.Worker),
			Labels: map[string]string{labelNamespace: keyOf(t.Namespace),
				labelLayout: keyOf(t.Fingerprint)},
			Annotations: map[string]string{rowAnnotation: string(rowtext.Row(r)), termsName: t.String(),
				podAnnotation: ""},
		},
		Spec: coordinationv1.LeaseSpec{RenewTime: &renewed, LeaseTransitions: &transitions},
	}
}

// shown are the operations that show a row to people.
func shown(was row, w store.Write, is store.Row) []op {
	var holder any
	if is.Held && is.Owner != "" {
		holder = is.Owner
	}
	ops := []op{
		set("/spec/holderIdentity", holder),
		set("/spec/renewTime", metav1.NewMicroTime(is.Renewed)),
		set("/spec/leaseDurationSeconds", max(1, min(int64(w.TTL/time.Second), 1<<31-1))),
	}
	if w.Acquire {
		ops = append(ops, set("/spec/acquireTime", metav1.NewMicroTime(is.Renewed)),
			set("/spec/leaseTransitions", was.transitions+1))
	}
	return ops
}

// versionOf is the number in a resource version; 0 where it is none.
func versionOf(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}
