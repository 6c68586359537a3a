// Package subject puts the reference manager behind the Subject port, so that
// the specs can ask it what they ask everybody.
//
// It translates: recipes into the library's tensors and plain Go containers,
// the port's handles into its sessions and objects, its errors into the port's
// kinds. It adds nothing that the library does not do. Not here: any behaviour of
// the manager, and any spec.
package subject
