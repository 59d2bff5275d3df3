package storeurl

import (
	"cmp"
	"errors"
	"fmt"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/ringuid/ringuid/worker/k8sstore"
)

// openKubernetes opens k8s:NAMESPACE of the cluster that kubectl would speak to, or that this
// process runs in. Without a namespace it takes the one that kubectl would take.
func openKubernetes(l *location, s *Store) error {
	name := l.take("name")
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = l.take("kubeconfig")
	kubectl := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: l.take("context")})
	if err := l.end(); err != nil {
		return err
	}
	config, err := kubectl.ClientConfig()
	namespace := l.Opaque
	if err == nil && namespace == "" {
		namespace, _, err = kubectl.Namespace()
	}
	if errors.Is(err, clientcmd.ErrEmptyConfig) || clientcmd.IsEmptyConfig(err) {
		return fmt.Errorf("--store k8s: no cluster is known: set KUBECONFIG to a file that names one, or " +
			"run this in a pod")
	}
	if err != nil {
		return fmt.Errorf("--store k8s: %w", err)
	}
	l.Opaque = namespace
	s.Name = l.name()
	s.Leases, _ = k8sstore.New(config, k8sstore.Options{Namespace: namespace, Name: name})
	s.Close = func() error { return nil }
	s.Place = "Leases named " + cmp.Or(name, "ringuid") + "-... in the Kubernetes namespace " + namespace
	s.Differ = "cluster (context), Kubernetes namespace or name"
	return nil
}
