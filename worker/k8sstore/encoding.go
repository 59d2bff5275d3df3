package k8sstore

import (
	"encoding/json"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// accepts is the Accept header for an answer into into. Kubernetes' own types can be read
// as protocol buffers, which cost both sides less: hundreds of Leases in JSON are a third of
// what a start costs a process. What is sent is short, and JSON.
func accepts(into any) string {
	if _, ok := into.(runtime.Object); ok {
		return runtime.ContentTypeProtobuf + ", " + runtime.ContentTypeJSON
	}
	return runtime.ContentTypeJSON
}

// fromProtobuf knows no types by name: who asks says which one it is.
var fromProtobuf = protobuf.NewSerializer(nil, runtime.NewScheme())

// decode reads an answer in the form that it has, since somebody on the way may write JSON.
func decode(answer *http.Response, text []byte, into any) error {
	object, ok := into.(runtime.Object)
	if !ok || !strings.HasPrefix(answer.Header.Get("Content-Type"), runtime.ContentTypeProtobuf) {
		return json.Unmarshal(text, into)
	}
	_, _, err := fromProtobuf.Decode(text, nil, object)
	return err
}
