package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker"
)

func TestStatesOfWorkerIDs(t *testing.T) {
	now := time.Unix(1_000, 0)
	v := worker.View{Namespace: worker.Namespace{Unit: time.Second, Window: 60, Floor: 900}, Now: now}
	for want, row := range map[string]worker.Row{
		held:      {Held: true, High: 1_030, Expires: now.Add(time.Second)},
		expired:   {Held: true, High: 1_030, Expires: now},
		released:  {High: 950}, // by a holder that did not say who he was
		parked:    {High: 1_060},
		untouched: {High: 899},
	} {
		assert.Equal(t, want, stateOf(v, row))
	}
	assert.Equal(t, released, stateOf(v, worker.Row{High: 850, Owner: "orders-7"}),
		"taken before the floor was raised")
}
