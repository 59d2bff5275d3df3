package main

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestListsOfNumbers(t *testing.T) {
	for typed, want := range map[string]numbers{
		"3":           {3},
		"1,2,4,8":     {1, 2, 4, 8},
		"0..6":        {0, 1, 2, 3, 4, 5, 6},
		"5..5":        {5},
		"1..64x2":     {1, 2, 4, 8, 16, 32, 64},
		"3..100x3":    {3, 9, 27, 81},
		"1..3,8":      {1, 2, 3, 8},
		"10,1..4x2,5": {10, 1, 2, 4, 5},
	} {
		var got numbers
		require.NoError(t, got.Set(typed), typed)
		assert.Equal(t, want, got, typed)
	}
}

func TestAListGrowsWhenItsFlagIsGivenAgain(t *testing.T) {
	var got numbers
	require.NoError(t, got.Set("1,2"))
	require.NoError(t, got.Set("4"))
	assert.Equal(t, "1,2,4", got.String())
}

func TestAListEndsBeforeNumbersOverflow(t *testing.T) {
	var got numbers
	require.NoError(t, got.Set("1.."+strconv.Itoa(math.MaxInt)+"x2"))
	assert.Len(t, got, strconv.IntSize-1)
	assert.IsIncreasing(t, got)
	require.NoError(t, got.Set(strconv.Itoa(math.MaxInt-1)+".."+strconv.Itoa(math.MaxInt)))
}

func TestInvalidListsAreRefused(t *testing.T) {
	for _, typed := range []string{"", "a", "1,", ",1", "-1", "3..1", "1..", "..3", "1..2..3",
		"0..8x2", "1..8x1", "1..8x", "1x2", "1-4"} {
		assert.ErrorIs(t, new(numbers).Set(typed), errNumbers, typed)
	}
	for _, typed := range []string{"1..1001", "1..600,1..600"} {
		assert.ErrorIs(t, new(numbers).Set(typed), errTooMany, typed)
	}
	assert.ErrorIs(t, new(layoutList).Set("28/22/13,28/22"), errLayoutList)
}
