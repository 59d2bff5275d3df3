//go:build gc && !tinygo && !race && !ringuid_portable

// Go wants to see an assembly file where functions have no bodies.
