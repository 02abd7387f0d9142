// Example: a small streaming parser of the Hermes format, and its adapter. Reasoning, control tokens and repairs are left out to stay short.
//
//	streakstone adapter smoke "go run ./examples/hermes"
package main

import (
	"encoding/json"
	"strings"

	"streakstone.dev/adapters/streak"
)

const opener, closer, space = "<tool_call>", "</tool_call>", " \t\r\n"

// hermes reads `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. A call goes out when its object has closed; what is no call is text.
type hermes struct {
	names  map[string]bool // nil: every name
	calls  int
	held   string
	after  bool // Since a call there was nothing but white space, kept in `held`, and ...
	closed bool // ... its closer.
	open   bool // An opener stands in `held`, at `unit`.
	unit   int
	at     int
	depth  int
	quoted bool
	marks  []int
	events []streak.Event
}

func newHermes(request *streak.Request) (*hermes, error) {
	var tools []struct{ Function struct{ Name string } }
	if err := json.Unmarshal(request.Tools, &tools); err != nil {
		return nil, err
	}
	h := &hermes{}
	if tools != nil || request.ToolChoice == "none" {
		h.names = map[string]bool{}
	}
	for _, tool := range tools {
		h.names[tool.Function.Name] = request.ToolChoice != "none"
	}
	if named, ok := request.ToolChoice.(map[string]any); ok {
		name := named["function"].(string)
		h.names = map[string]bool{name: h.names == nil || h.names[name]}
	}
	return h, nil
}

func (h *hermes) push(delta, end string) ([]streak.Event, error) {
	h.held += delta
	h.events = nil
	for h.step(end != "") {
	}
	if end != "" {
		reason := "stop"
		if h.calls > 0 {
			reason = "tool_calls"
		}
		if end == "length" {
			reason = "length"
		}
		h.events = append(h.events, streak.Event{"finish", reason})
		h.calls, h.after = 0, false // Ready for another text.
	}
	return h.events, nil
}

// step takes one decision; false if it needs more text.
func (h *hermes) step(last bool) bool {
	if !h.open {
		if h.after && !h.settle(last) {
			return false
		}
		found := strings.Index(h.held, opener)
		if found < 0 {
			h.text(len(h.held) - h.half(last))
			return false
		}
		// The newline before a block is framing if the block is a call, and so is all white space between calls.
		lead := found
		if !h.after {
			lead = newline(h.held[:found])
		}
		h.text(found - lead)
		h.open, h.unit, h.at, h.depth, h.quoted, h.marks = true, lead, lead+len(opener), 0, false, nil
	}
	state := h.scan()
	if state == "open" && !last {
		return false
	}
	name, arguments, good := "", "", false
	if state == "closed" {
		name, arguments, good = h.call()
	}
	if good {
		h.events = append(h.events, streak.Event{"call", h.calls, name, nil}, streak.Event{"arguments", h.calls, arguments}, streak.Event{"end", h.calls})
		h.calls++
		h.held = h.held[h.at:]
	} else {
		h.text(h.at - newline(h.held[:h.at]))
	}
	h.open, h.after, h.closed = false, good, false
	return true
}

// settle decides what follows a call: white space and one closer are framing, unless text follows. False if it needs more text.
func (h *hermes) settle(last bool) bool {
	rest := strings.TrimLeft(h.held, space)
	if !h.closed && strings.HasPrefix(rest, closer) {
		h.held, h.closed = rest[len(closer):], true
		return h.settle(last)
	}
	if last && rest == "" {
		h.held = ""
	}
	if !last && (strings.HasPrefix(opener, rest) || !h.closed && strings.HasPrefix(closer, rest)) {
		return rest == opener
	}
	h.after = strings.HasPrefix(rest, opener)
	return true
}

// half is the length of the longest tail that could begin a block.
func (h *hermes) half(last bool) int {
	n := len(opener)
	for last && n > 0 || !strings.HasSuffix(h.held, ("\n" + opener)[:n]) && !strings.HasSuffix(h.held, opener[:n]) {
		n--
	}
	return n
}

func newline(text string) int {
	return len(text) - len(strings.TrimSuffix(text, "\n"))
}

// scan goes on to the end of the object: `closed`, `open` if the text ends first, `broken` where no JSON can go on.
func (h *hermes) scan() string {
	for ; h.at < len(h.held); h.at++ {
		char := h.held[h.at]
		switch {
		case h.quoted && char < ' ':
			return "broken"
		case h.quoted && char == '\\' && h.at+1 == len(h.held):
			return "open"
		case h.quoted && char == '\\':
			h.at++
		case h.quoted:
			h.quoted = char != '"'
		case char == '<' || h.depth == 0 && !strings.ContainsRune(space+"{", rune(char)):
			return "broken"
		case char == '"':
			h.quoted = true
		case char == '{' || char == '[':
			h.depth++
		case char == '}' || char == ']':
			h.depth--
		}
		end := h.depth == 0 && (char == '}' || char == ']')
		if end || h.depth == 1 && !h.quoted && strings.ContainsRune(":,{", rune(char)) {
			h.marks = append(h.marks, h.at)
		}
		if end {
			h.at++
			return "closed"
		}
	}
	return "open"
}

// call gives name and arguments, the bytes as the model wrote them; false if the object is no call.
func (h *hermes) call() (name, arguments string, good bool) {
	if !json.Valid([]byte(h.held[h.unit+len(opener) : h.at])) {
		return "", "", false
	}
	members := map[string]string{}
	for i := 0; i+2 < len(h.marks); i += 2 {
		var key string
		_ = json.Unmarshal([]byte(h.held[h.marks[i]+1:h.marks[i+1]]), &key)
		members[key] = strings.Trim(h.held[h.marks[i+1]+1:h.marks[i+2]], space)
	}
	if json.Unmarshal([]byte(members["name"]), &name) != nil || name == "" || h.names != nil && !h.names[name] {
		return "", "", false
	}
	arguments = members["arguments"]
	if arguments == "" || arguments == "null" {
		arguments = "{}"
	}
	return name, arguments, strings.HasPrefix(arguments, "{")
}

func (h *hermes) text(count int) {
	if count > 0 {
		h.events = append(h.events, streak.Event{"text", h.held[:count]})
	}
	h.held = h.held[count:]
}

func main() {
	open := func(request *streak.Request) (streak.Session, error) {
		h, err := newHermes(request)
		if err != nil {
			return nil, err
		}
		return h.push, nil
	}
	streak.Serve(streak.Adapter{
		Hello: map[string]any{
			"name": "example-go", "version": "1", "dialects": []string{"hermes"}, "tells": []string{"order", "finish"}, "delivery": "validated",
			"policies": map[string]string{"truncated": "text"}, "notes": "example of the Go SDK; no reasoning",
		},
		Open: open,
		Whole: func(request *streak.Request) ([]streak.Event, error) {
			session, err := open(request)
			if err != nil {
				return nil, err
			}
			return session(request.Text, request.End)
		},
	})
}
