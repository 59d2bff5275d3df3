package k8sstore

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ringuid/ringuid/worker"
)

// terminating is why nothing can be created in a Kubernetes namespace that is being deleted.
const terminating metav1.CauseType = "NamespaceTerminating"

// Advice adds no tokens, and client-go keeps them out of its errors. Only a store's first error has
// the Role, which is long.
func (l *leases) Advice(err error) (do string, is error) {
	switch {
	case apierrors.HasStatusCause(err, terminating), errors.Is(err, errStarting):
		return "", nil
	case apierrors.IsForbidden(err) && l.printed.Swap(true):
		return "the service account may not do that; an earlier error has the Role " +
			"that lets it", worker.ErrDenied
	case apierrors.IsForbidden(err):
		return "the service account may not do that. This Role lets it, with a " +
			"RoleBinding:\n" + Role(l.namespace), worker.ErrDenied
	case apierrors.IsUnauthorized(err):
		return "the API server does not know the token: is it one of this cluster, " +
			"and has it not expired?", worker.ErrDenied
	case apierrors.IsNotFound(err): // of rows, those that do not exist are not an error
		return "create the Kubernetes namespace " + l.namespace + ", or correct " +
			"Options.Namespace", worker.ErrNoTables
	case apierrors.IsTooManyRequests(err):
		return "the API server is busy", nil
	}
	return "", nil
}

// Role returns the manifest of a Role that lets a service account do everything that a Store in
// this Kubernetes namespace does. Without "create", a Claim has to say ExistingOnly, and
// somebody else has to create the Leases (`ringuid worker init`). Without "deletecollection",
// processes cannot repair a store that went back in time by themselves, nor change the layout:
// they return an error until somebody has run `ringuid worker quarantine`.
func Role(namespace string) string {
	return fmt.Sprintf(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: ringuid
  namespace: %s
rules:
- apiGroups: [coordination.k8s.io]
  resources: [leases] # one for each worker id
  verbs: [get, list, create, patch, deletecollection]
`, namespace)
}
