# docker build --build-arg VERSION=v0.2.0 -t ringuid:v0.2.0 - <Dockerfile
FROM golang:1.26 AS build
ARG VERSION=latest
RUN CGO_ENABLED=0 go install -ldflags='-s -w' github.com/ringuid/ringuid/cmd/ringuid@$VERSION

FROM scratch
COPY --from=build /go/bin/ringuid /
USER 65534:65534
ENTRYPOINT ["/ringuid"]
