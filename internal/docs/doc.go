// Package docs holds the documentation to what the code does. It has tests alone:
//
//   - Each Chinese page is in step with its original: the same headings, code, tables,
//     numbers, code words and links.
//   - Links lead somewhere.
//   - Workflows and RELEASING make what the Makefile has; dependabot looks at each module; what
//     contributors are sent to exists.
//   - The script that checks a release refuses what is not ready, each for its reason.
package docs
