package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/metrics"
	"github.com/ringuid/ringuid/uid"
)

const name = "serve" // of the generator, in metrics

// newHTTP returns the server of HTTP, which does not listen yet.
func (s *Server) newHTTP() *http.Server {
	s.metrics.MustRegister(metrics.NewCollector(name, s.gen))
	free, mux := http.NewServeMux(), http.NewServeMux()
	free.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok")
	})
	free.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if s.ctx.Err() != nil || s.gen.Ready() != nil {
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok")
	})
	free.Handle("/", s.guard(mux))
	mux.HandleFunc("/id", s.one)
	mux.HandleFunc("/api/snowflake/get/{key}", s.one) // Leaf's
	mux.HandleFunc("/ids", s.many)
	mux.Handle("/metrics", promhttp.HandlerFor(s.metrics, promhttp.HandlerOpts{}))
	return &http.Server{
		Handler:        free,
		ReadTimeout:    loginTime,
		WriteTimeout:   2 * loginTime,
		IdleTimeout:    min(s.Idle, time.Minute),
		MaxHeaderBytes: 8 << 10,
		ErrorLog:       slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug),
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				s.clients.Inc()
			case http.StateClosed:
				s.clients.Dec()
			}
		},
	}
}

// guard asks for the password, counts, and has no answer cached: each id is for one. It refuses
// HEAD, whose ids would be lost.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests[overHTTP].Inc()
		w.Header().Set("Cache-Control", "no-store")
		if r.Method != http.MethodGet {
			w.Header().Set("Allow", http.MethodGet)
			s.fail(w, http.StatusMethodNotAllowed, "the method must be GET")
			return
		}
		password, typed := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if s.Password == "" || typed && s.isPassword([]byte(password), r.RemoteAddr) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		s.fail(w, http.StatusUnauthorized, "the header Authorization must be: Bearer PASSWORD")
	})
}

func (s *Server) fail(w http.ResponseWriter, code int, text string) {
	s.errors[overHTTP].Inc()
	http.Error(w, storeurl.Redact(text), code)
}

// one answers with an id alone, without an end of line, as Leaf does.
func (s *Server) one(w http.ResponseWriter, _ *http.Request) {
	ids, err := s.take(nil, 1)
	if err != nil {
		s.fail(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	_, _ = io.WriteString(w, strconv.FormatInt(int64(ids[0]), 10))
}

// many answers with an array of strings, which no JavaScript rounds.
func (s *Server) many(w http.ResponseWriter, r *http.Request) {
	n, err := number([]byte(r.FormValue("n")), maxBatch)
	if err != nil || n == 0 {
		s.fail(w, http.StatusBadRequest,
			fmt.Sprintf("n is a number of 1 to %d: type /ids?n=100", maxBatch))
		return
	}
	ids, err := s.take([]uid.ID{}, n)
	if err != nil {
		s.fail(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(ids)
}

// count makes the server's metrics.
func (s *Server) count() {
	s.metrics = prometheus.NewRegistry()
	f := promauto.With(prometheus.WrapRegistererWith(prometheus.Labels{"generator": name}, s.metrics))
	requests := f.NewCounterVec(prometheus.CounterOpts{Name: "ringuid_server_requests_total",
		Help: "Requests answered."}, []string{"protocol"})
	errors := f.NewCounterVec(prometheus.CounterOpts{Name: "ringuid_server_errors_total",
		Help: "Requests answered with an error."}, []string{"protocol"})
	for i, protocol := range []string{"resp", "http"} {
		s.requests[i] = requests.WithLabelValues(protocol)
		s.errors[i] = errors.WithLabelValues(protocol)
	}
	s.refusedLogins = f.NewCounter(prometheus.CounterOpts{
		Name: "ringuid_server_refused_logins_total", Help: "Wrong passwords."})
	s.clients = f.NewGauge(prometheus.GaugeOpts{Name: "ringuid_server_clients",
		Help: "Connections now."})
}
