package k8sstore

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/ringuid/ringuid/internal/machine"
)

// pod is the one that this process runs in, as its token says. The zero value is none.
type pod struct{ namespace, name string }

// podOf reads the token that Kubernetes gives to each pod. It is not verified, since nothing
// depends on it but where the Leases are and whose name is in them.
func podOf(token string) pod {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return pod{}
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return pod{}
	}
	var claims struct {
		Kubernetes struct {
			Namespace string `json:"namespace"`
			Pod       struct {
				Name string `json:"name"`
			} `json:"pod"`
		} `json:"kubernetes.io"`
	}
	if json.Unmarshal(text, &claims) != nil {
		return pod{}
	}
	return pod{claims.Kubernetes.Namespace, claims.Kubernetes.Pod.Name}
}

// owner is who holds a row: the pod's name, or the machine's, which is the pod's unless it
// uses its node's network.
func (p pod) owner() string {
	if p.name != "" {
		return p.name
	}
	name, _ := machine.This.HostName()
	return name
}
