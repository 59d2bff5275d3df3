package orm

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin/binding"
	"github.com/labstack/echo/v4"
	"github.com/oapi-codegen/runtime"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/typeid"
	"github.com/ringuid/ringuid/uid"
)

// params are the forms in which a request has an id.
type params[T any] struct {
	One   T   `form:"one" uri:"one" query:"one" header:"one" param:"one"`
	Maybe *T  `form:"maybe" uri:"maybe" query:"maybe" header:"maybe" param:"maybe"`
	Many  []T `form:"many" uri:"many" query:"many" header:"many" param:"many"`
}

// bindersOf are those that read a request by the kinds of a struct's fields.
func bindersOf[T any]() map[string]func(url.Values) (params[T], error) {
	form := func(v url.Values) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(v.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return r
	}
	query := func(v url.Values) *http.Request {
		return httptest.NewRequest(http.MethodGet, "/?"+v.Encode(), nil)
	}
	gin := func(b binding.Binding, request func(url.Values) *http.Request) func(
		url.Values) (params[T], error) {
		return func(v url.Values) (p params[T], err error) {
			err = b.Bind(request(v), &p)
			return p, err
		}
	}
	type bindOne func(required bool, name string, v url.Values, to any) error
	oapi := func(bind bindOne) func(url.Values) (params[T], error) {
		return func(v url.Values) (p params[T], err error) {
			for name, to := range map[string]any{"one": &p.One, "many": &p.Many} {
				if v.Has(name) && err == nil {
					err = bind(true, name, v, to)
				}
			}
			if err == nil {
				err = bind(false, "maybe", v, &p.Maybe)
			}
			return p, err
		}
	}
	return map[string]func(url.Values) (params[T], error){
		"gin query": gin(binding.Query, query),
		"gin form":  gin(binding.Form, form),
		"gin uri": func(v url.Values) (p params[T], err error) {
			err = binding.Uri.BindUri(v, &p)
			return p, err
		},
		"echo": func(v url.Values) (p params[T], err error) {
			c := echo.New().NewContext(query(v), httptest.NewRecorder())
			err = new(echo.DefaultBinder).BindQueryParams(c, &p)
			return p, err
		},
		"oapi-codegen": oapi(func(required bool, name string, v url.Values, to any) error {
			return runtime.BindRawQueryParameter("form", true, required, name, v.Encode(), to)
		}),
		"oapi-codegen, in commas": oapi(func(required bool, name string, v url.Values, to any) error {
			o := runtime.BindQueryParameterOptions{}
			return runtime.BindQueryParameterWithOptions("form", false, required, name, v, to, o)
		}),
		"oapi-codegen, in a path": func(v url.Values) (p params[T], err error) {
			o := runtime.BindStyledParameterOptions{ParamLocation: runtime.ParamLocationPath}
			var given T // as it is generated: what may be absent gets its pointer afterwards
			for name, to := range map[string]any{"one": &p.One, "maybe": &given, "many": &p.Many} {
				if v.Has(name) && err == nil {
					err = runtime.BindStyledParameterWithOptions("simple", name,
						url.PathEscape(v.Get(name)), to, o)
				}
			}
			if v.Has("maybe") {
				p.Maybe = &given
			}
			return p, err
		},
	}
}

func TestParametersThatAreNoIDsAreRefused(t *testing.T) {
	plain, err := opaque.ID{Number: 5}.UUID()
	require.NoError(t, err)
	refuses(t, uid.ID(119111846907904001))
	refuses(t, typeid.ID[staff](119111846907904001), "119111846907904001")
	refuses(t, typeid.UUID[staff]{ID: 119111846907904001}, "119111846907904001", plain.String())
	refuses(t, opaque.ID{Number: 119111846907904001, Key: 1}, "119111846907904001")
	refuses(t, plain, "119111846907904001")
}

func refuses[T fmt.Stringer](t *testing.T, id T, more ...string) {
	for name, bind := range bindersOf[T]() {
		t.Run(fmt.Sprintf("%T by %s", id, name), func(t *testing.T) {
			for _, field := range []string{"one", "maybe", "many"} {
				got, err := bind(url.Values{field: {id.String()}})
				require.NoError(t, err, field)
				want := map[string]params[T]{"one": {One: id}, "maybe": {Maybe: &id}, "many": {Many: []T{id}}}
				assert.Equal(t, want[field], got)
				for _, text := range append(more, "-5", "", "+5", " 5", "5 ", "5,-5", "9223372036854775808") {
					_, err := bind(url.Values{field: {text}})
					assert.Error(t, err, "%s=%q", field, text)
				}
			}
		})
	}
}
