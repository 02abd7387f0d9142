// Package uuid stands in for the module of that name: one type of Ollama's API has a field of it, which no parser uses.
package uuid

// UUID has the size of the real one.
type UUID [16]byte
