# ghcr.io/ringuid/ringuid, made of the files for download. In their folder:
# docker build -t ringuid -f ../Dockerfile .
FROM gcr.io/distroless/static:nonroot
ARG TARGETARCH
COPY --chmod=755 ringuid-linux-$TARGETARCH /ringuid
ENTRYPOINT ["/ringuid"]
