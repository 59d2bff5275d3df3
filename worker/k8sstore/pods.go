package k8sstore

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/ringuid/ringuid/internal/machine"
)

// pod is the pod that this process runs in, according to its token. The zero value is no pod.
type pod struct{ namespace, name string }

// podOf reads the token that Kubernetes gives to each pod. The token is not verified, since
// nothing depends on it except where the Leases are and whose name is in them.
func podOf(config *rest.Config) (pod, error) {
	token := config.BearerToken
	if config.BearerTokenFile != "" {
		text, err := os.ReadFile(config.BearerTokenFile)
		if err != nil {
			return pod{}, fmt.Errorf("the token of the service account: %w", err)
		}
		token = strings.TrimSpace(string(text))
	}
	var claims struct {
		Kubernetes struct {
			Namespace string `json:"namespace"`
			Pod       struct {
				Name string `json:"name"`
			} `json:"pod"`
		} `json:"kubernetes.io"`
	}
	if parts := strings.Split(token, "."); len(parts) == 3 {
		text, _ := base64.RawURLEncoding.DecodeString(parts[1])
		_ = json.Unmarshal(text, &claims) // another kind of token: no pod
	}
	return pod{claims.Kubernetes.Namespace, claims.Kubernetes.Pod.Name}, nil
}

// owner returns the name of the holder of a row: the pod's, or the machine's, which is the
// pod's unless the pod uses its node's network.
func (p pod) owner() string {
	if p.name != "" {
		return p.name
	}
	name, _ := machine.This.HostName()
	return name
}
