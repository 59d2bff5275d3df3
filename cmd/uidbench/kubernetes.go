package main

import (
	"errors"
	"fmt"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/ringuid/ringuid/worker/k8sstore"
)

// openKubernetes opens k8s:NAMESPACE of the cluster that kubectl would speak to, or that
// this process runs in; without a name, the namespace that it would take.
func openKubernetes(namespace string) (*store, error) {
	kubectl := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), nil)
	config, err := kubectl.ClientConfig()
	if err == nil && namespace == "" {
		namespace, _, err = kubectl.Namespace()
	}
	if errors.Is(err, clientcmd.ErrEmptyConfig) || clientcmd.IsEmptyConfig(err) {
		return nil, fmt.Errorf(
			"--store k8s: no cluster is known: set KUBECONFIG to a file that names one, or run this in a " +
				"pod")
	}
	if err != nil {
		return nil, fmt.Errorf("--store k8s: %w", err)
	}
	leases, _ := k8sstore.New(config, k8sstore.Options{Namespace: namespace})
	return &store{name: "k8s:" + namespace, leases: leases, close: func() error { return nil }}, nil
}
