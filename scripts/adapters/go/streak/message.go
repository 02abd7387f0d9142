package streak

import "encoding/json"

// Event is one event of the protocol: {"text", "Hello"}, {"call", 0, "f", nil}, {"arguments", 0, "{}"}, {"end", 0}, {"finish", "stop"}.
type Event = []any

// Request is a message. Text holds any bytes if the adapter's unit is `bytes`.
type Request struct {
	Type, Dialect, Text, Reasoning, End string
	ID                                  any
	Base64                              []byte
	Tools                               json.RawMessage
	ToolChoice                          any  `json:"tool_choice"`
	ParallelToolCalls                   bool `json:"parallel_tool_calls"`
	Events                              bool
	Special                             [][2]int
	Plans                               []plan
	Cuts                                []int
	Repeat                              int
}

type plan struct {
	Plan           string
	Cuts           [][]int
	Prefixes       []int
	LastWithFinish bool `json:"last_with_finish"`
	Reuse          bool
}

// No is the error of a parser that says no: No{"rejected", why}, or No{"unsupported", why}. Any other error, and a panic, is the result `raised`.
type No struct{ Kind, Why string }

func (no No) Error() string { return no.Why }
