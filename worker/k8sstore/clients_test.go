package k8sstore

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var leaseVersion = schema.GroupVersion{Group: "coordination.k8s.io", Version: "v1"}

// serializer is one of a client that is made for its connection alone.
type serializer struct{ runtime.NegotiatedSerializer }

func (serializer) SupportedMediaTypes() []runtime.SerializerInfo {
	return []runtime.SerializerInfo{{MediaType: "application/json"}}
}
