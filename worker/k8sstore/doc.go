// Package k8sstore keeps recycled worker ids in the Kubernetes cluster that a process runs
// in, with nothing but its API.
//
//	gen, err := uid.NewCached(ctx, worker.Leased(k8sstore.InCluster()), uid.Config{})
//
// The pod's service account needs the Role that [Role] returns; an error that names the
// missing verb prints it. Nothing else has to be set up: the first pod makes the namespace
// of worker ids. With a kubeconfig, or a client of one's own, there are [New] and
// [ForClient].
//
// # What is kept
//
//	$ kubectl get leases -l ringuid.github.io/namespace=default
//	NAME                HOLDER                    AGE
//	ringuid-default-0   orders-6d4cf56db6-x7k2p   3d
//	ringuid-default-1                             3d
//
// A Lease for each worker id, and one ConfigMap, "ringuid", with namespaces and the records
// of layouts. Holder, duration and times of a Lease are for people to read. What decides is
// in two annotations: the row (nonce, high-water mark, expiry), and the terms that it is
// held under (layout, window, floor). Neither is to be edited; to free a worker id, use
// `uidbench worker release` or `steal`.
//
// Objects are never deleted. Should somebody delete the Leases, the ConfigMap knows how far
// they may have been granted, and should somebody delete that, the Leases know: the next
// pod makes what is missing, above it. Only who deletes both, as with the Kubernetes
// namespace that they are in, is to wait for a window, a minute, before pods start again.
//
// # One object at a time
//
// A write compares its row, and besides that what is settled for all rows: layout, floor,
// and that the namespace still has this worker id. The API has no transaction over two
// objects. So each row has a copy of all that, its terms, and a write is one JSON patch of
// one Lease that tests row and terms by their whole text, and replaces the row. The server
// applies it as a compare-and-set in etcd, or not at all. What remains is that terms change
// row by row, and the order of it:
//
//   - A floor is lifted in three steps: the ConfigMap says which floor is to come, each row
//     gets it, the ConfigMap says that it is there. Views show it after the third step
//     alone. So whoever knows a floor, knows it of every row; a write under the old one
//     that is still on its way was applied before, or finds other terms (I7). A lift that
//     was broken off is completed by the next view.
//   - Worker ids that change hands, since their namespace is gone, are closed first: each
//     of the old rows gets terms under which nothing is written, with a random number. Then
//     the clock is read, and the floor set by it, and then the ConfigMap has the new
//     namespace, if it and its layout's record are still what was read. Whoever was granted
//     something before lies below that floor, and nothing is granted afterwards.
//   - Rows are opened again only by somebody who read the row first and the ConfigMap after
//     it, which says that the namespace has this worker id. Had it been given away before,
//     the row would have been closed later than it was read, with another number, and the
//     patch that opens it would not fit.
//   - A row says who created it until it is opened, and the book who created those that the
//     namespace began with: they were there before anything could be granted. Any other new
//     row may have been created late, by an Init that hung, after somebody deleted one
//     which was granted more than that Init knew. Who opens it lifts its High, in the same
//     patch, above all that may have been granted until he read it: a window and five
//     seconds after the server's clock.
//   - Whoever writes a namespace into the ConfigMap counts on its layout's record there, so
//     that an Init which has read the record before makes nothing by it, even when that
//     namespace is gone again.
//
// A High and a floor count ticks of the unit in their terms. Where a namespace of another unit
// gets rows that an earlier one of its name left, it takes them for the same time, in the patch
// that gives them its terms, and with a new nonce.
//
// Terms come back only while the namespace has the worker id all the time: a row that was
// closed for a namespace which then was not made is opened under the floor that it had.
// Else the floor has grown. The text of a row has its nonce. So a write that fits equal texts
// is right, also after a restore that lets resource versions come a second time.
//
// # What it costs
//
// A start is four requests. A sign of life is one, each half window at a steady load and each
// third of the TTL when idle, 30 s both by default: what the last write left is remembered,
// the next is built on it, and when it does not fit any more, the row is read. So holders do
// not notice when somebody deletes the ConfigMap alone, and need not: the next pod that
// starts makes it anew, from their rows. Nothing is watched. A request that the server has no time
// for (429) is sent again after as long as
// it wants; any other write is sent once.
//
// # Fifty pods at once
//
// A namespace is made at the first start, with worker ids 0 to 255, if the Role lets it.
// That is right here, and nowhere else, for two reasons: pods have no operator before them,
// and everything that could show that the layout's worker ids were granted before is in the
// place where the namespace is made. Of fifty pods one gets its mark into the ConfigMap, by
// compare-and-set, and makes the namespace while the others wait for it. Should it die, another
// one makes it after five seconds; what each makes is made once, since every step is a create or
// a compare-and-set, and the namespace is in the ConfigMap before any of its rows is opened.
//
// # Pods that are gone
//
// When every row is held, and some by pods of one's own Kubernetes namespace which are
// there no more, or have ended, their rows are freed at once. That is a convenience: it goes
// by the pod's uid, High stays as it is, and if the process is alive after all, on a node
// that nobody hears of, it is fenced and can only use up what was granted to it.
//
// # Clocks
//
// Each answer of the API server shows its time, and that decides when a row may be taken
// over and how far ahead it is granted, never whether two holders mint one tick. A process
// whose own clock is further off than a window is refused before it writes (worker.ErrClock).
//
// # What it is worth
//
// The class is Fenced: the API server acknowledges what a majority of etcd's members has on
// disk. Leave fsync on there. On other databases behind the same API (kine) it is worth as
// much as these keep what they acknowledged.
//
//   - Restoring a backup of etcd takes rows back. Stop the pods first, or quarantine each
//     namespace above the highest tick in any copy or log before they start again
//     (`uidbench worker quarantine`). A holder that lives, and a process that saw a later
//     resource version, notice it and lift the floor, half a window too late for whoever
//     was faster (worker.ErrRolledBack). Restart the API servers, too, as etcd's own
//     instructions say: they remember.
//   - Two clusters know nothing of each other, and both begin with worker id 0. If their ids
//     meet in one database, give each a range: `uidbench worker init --workers 0-511` there
//     and 512-1023 here, before the first pod, or data centre bits in the layout.
//   - Two Kubernetes namespaces know nothing of each other either. Services whose ids meet
//     share one by Options.Namespace, with a RoleBinding there for each service account.
package k8sstore
