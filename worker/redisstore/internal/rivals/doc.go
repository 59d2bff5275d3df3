// Package rivals has tests alone. They run other systems' ways to get a worker id from
// Redis, as small literal models, through the faults that the leases of this module are
// tested with, and count the ids that come twice. docs/leases.md has the figures.
//
// Everything but the worker ids is the same for all: the generator, its layout, the
// faults, the servers. The generator takes a worker id of the models for one that somebody
// else vouches for: it begins with the tick after its start, and mints none in advance. So
// it repeats less than the models' own generators would, and what does come twice is due
// to two processes that have one worker id.
package rivals
