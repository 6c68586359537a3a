// Package protocol keeps driver/PROTOCOL.md and driver/schema what the table of
// operations says: it makes the document's tables and the JSON Schemas of every
// message.
//
// Not here: anything that a harness or a driver needs while it runs.
package protocol
