package k8sstore

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

const whetherDone = "the context ended before the API server answered, so look whether it is " +
	"there; the next view shows what was done"

// explain adds to an error what to do. client-go keeps tokens out of its errors, and
// nothing is added here that could have one.
func (s *Store) explain(doing string, err error) error {
	var do string
	switch {
	case apierrors.IsForbidden(err):
		do = "the service account may not do that. This Role lets it, with a RoleBinding:\n" +
			Role(s.api.place, s.name)
	case apierrors.IsUnauthorized(err):
		do = "the API server does not know the token: is it one of this cluster, and has it not expired?"
	case apierrors.IsTooManyRequests(err):
		do = "the API server is busy"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		do = whetherDone
	default:
		return fmt.Errorf("k8sstore: %s: %w", doing, err)
	}
	return fmt.Errorf("k8sstore: %s: %w: %s", doing, err, do)
}

// Role is the manifest of a Role that lets a service account do all that a Store does
// with these Options' Namespace and Name. Where namespaces of worker ids are made by
// somebody else (`uidbench worker init`), "create" can be left out.
func Role(namespace, name string) string {
	return fmt.Sprintf(role, namespace, name)
}

const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: %[2]s
  namespace: %[1]s
rules:
- apiGroups: [coordination.k8s.io]
  resources: [leases] # one for each worker id
  verbs: [list, create, patch]
- apiGroups: [""]
  resources: [configmaps] # what is settled for all of them
  resourceNames: [%[2]s]
  verbs: [get, patch]
- apiGroups: [""]
  resources: [configmaps]
  verbs: [create]
- apiGroups: [""]
  resources: [pods] # so that worker ids of pods that are gone are free at once
  verbs: [list]
`
