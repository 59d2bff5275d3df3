// Package k8sstore keeps recycled worker ids in the Kubernetes cluster that a process runs
// in, with nothing but its API.
//
//	gen, err := uid.New(ctx, worker.Leased(k8sstore.InCluster()), uid.Config{})
//
// The pod's service account needs the Role that [Role] returns; an error that names the missing
// verb prints it. Nothing else has to be set up: pods create the rows that they need. With a
// kubeconfig, use [New].
//
// # What is kept
//
//	$ kubectl get leases -l app.kubernetes.io/managed-by=ringuid
//	NAME                           HOLDER                    AGE
//	ringuid-5d3c9a70b1e2f846-0     orders-6d4cf56db6-x7k2p   3d
//	ringuid-5d3c9a70b1e2f846-1                               3d
//
// There is one Lease for each worker id, and nothing else. Its name contains the worker
// id and a hash of the layout. Its holder, duration and renew time are for people to read. What
// counts is the row's text in an annotation: nonce, highest tick granted, expiry. Do not edit
// it; to free a worker id, use `ringuid worker release` or `steal`.
//
// Services with one layout in one Kubernetes namespace share its worker ids, so their ids
// never meet. Two Kubernetes namespaces, and two clusters, know nothing of each other, and
// both begin with worker id 0. If their ids meet in one database, let the services share one
// namespace with Options.Namespace and a RoleBinding there for each service account, or give
// each a range with Claim.First and Count.
//
// A write is one JSON patch of one Lease that tests the whole text of the row and replaces it.
// The server applies it as a compare-and-set in etcd, or not at all. The text has a random
// nonce, so a late write never matches another row. Resource versions are not compared: they
// recur after a restore.
//
// Leases are created while the pods work, ten a second by all pods together. A pod needs only
// one to start.
//
// # Deleting
//
// Deleting Leases is safe at any time: one, all, or the whole Kubernetes namespace. The API server
// deletes them one after another, and a row that a process takes meanwhile is deleted too.
//
// # Clocks
//
// Each answer of the API server shows its time, in whole seconds. This time decides when a row
// may be taken over, and how far ahead it is granted and opened. Of API servers behind one
// address, no two clocks may differ by more than Claim.Slack: else, when Leases are deleted, two
// holders may get the same tick. If a proxy stands before them, it must not set the Date of
// their answers.
//
// # Class
//
// The class is Fenced: the API server acknowledges what a majority of etcd's members has on
// disk. Leave fsync on there. On other databases behind the same API (kine) worker ids are as
// safe as acknowledged writes are there.
//
// Before a backup of etcd is restored, stop the pods, and run `ringuid worker quarantine` before
// they start again. Restart the API servers, too: they remember the later state.
package k8sstore
