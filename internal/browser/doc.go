// Package browser opens pages in headless Chromium, for tests of what a person
// would see.
//
//	page := browser.Open(t, server.URL, browser.Viewport{Width: 390, Dark: true})
//	assert.Equal(t, "182 M/s", page.Text("#rate"))
//	assert.Empty(t, page.Requests(), "what the page loads")
//
// Each Open starts a browser of its own, with a fresh profile in a temporary
// folder, and ends it with the test. It takes about a second.
//
// The browser reaches nothing but this machine: every other host is an unknown
// name to it. A page that asks for something outside is found out by Requests,
// with or without a network.
//
// A machine without Chromium skips the test, by name. With "chromium" or "all" in
// UID_TEST_REQUIRE the test fails instead, as package testserver has it.
package browser
