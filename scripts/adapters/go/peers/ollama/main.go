// Ollama's built-in parsers as a subject, over streak/1 (harness/adapter/PROTOCOL.md).
//
// scripts/peers/ollama.sh builds it inside a copy of the user's checkout, because the parsers' packages are that module's
// own. A parser is made, initialised and fed as Ollama's chat handler does it: every delta through Add, the last one with
// done; an error ends the reply. There is no entry point for finished texts: its server joins the stream.
package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/parsers"
)

// Set by the linker: the commit of the checkout.
var commit = "unknown"

// family is what Ollama's parsers are called for one of our dialects: with thinking off and on, empty where it has no such
// parser, and what a model that thinks writes first.
type family struct{ plain, thinking, opener string }

var families = map[string]family{
	"hermes":        {"qwen3", "qwen3-thinking", "<think>"},
	"qwen3_coder":   {"qwen3-coder", "qwen3.5", "<think>"},
	"nemotron3":     {"nemotron-3-nano", "nemotron-3-nano", "<think>"},
	"mistral_v13":   {"ministral", "", "[THINK]"},
	"deepseek_v3":   {"cogito", "cogito", "<think>"},
	"deepseek_v31":  {"deepseek3", "deepseek3", "<think>"},
	"olmo3":         {"olmo3", "olmo3-think", "<think>"},
	"functiongemma": {"functiongemma", "", ""},
	"glm47":         {"glm-4.7", "glm-4.7", "<think>"},
	"gemma4":        {"gemma4", "gemma4", "<|channel>"},
	"lfm2":          {"lfm2", "lfm2-thinking", "<think>"},
	"poolside":      {"laguna", "laguna", "<think>"},
	"cohere":        {"cohere", "cohere", "<|START_THINKING|>"},
	"muse":          {"glimmer", "glimmer", ""},
	"harmony":       {"harmony", "harmony", ""},
}

var hello = map[string]any{
	"type": "hello", "protocol": 1, "name": "ollama", "version": "git " + commit,
	"dialects": names(), "modes": []string{"stream"}, "unit": "text", "tells": []string{"reasoning", "finish"},
	"special_tokens": "whole", "delivery": "validated", "clock": "process-cpu", "policies": map[string]string{"undeclared": "forward", "truncated": "drop"},
	"cannot": []map[string]string{
		{"law": "id-valid-unique", "why": "the server mints every id; the parsers have no place for one"},
		{"law": "reusable", "why": "the server makes a parser for each request"},
	},
	"stubs":  []string{"internal/orderedmap (our own, same order)", "google/uuid (unused field)"},
	"notes":  "built-in parsers behind the chat handler; a reply that begins with the family's reasoning opener is read with thinking on",
}

func names() []string {
	return slices.Sorted(maps.Keys(families))
}

// session is one reading.
type session struct {
	parser parsers.Parser
	called bool
}

func open(request *run) (*session, error) {
	if !strings.Contains(string(request.ToolChoice), `"auto"`) && !strings.Contains(string(request.ToolChoice), `"required"`) {
		return nil, unsupported("Ollama's API has no tool_choice")
	}
	if !request.Parallel {
		return nil, unsupported("Ollama's API has no parallel_tool_calls")
	}
	family := families[request.Dialect]
	thinks := request.Reasoning == "open" || family.opener != "" && strings.HasPrefix(strings.TrimSpace(request.Text), family.opener)
	name := family.plain
	if thinks {
		name = family.thinking
	}
	if name == "" {
		return nil, unsupported("no parser with reasoning for this family")
	}
	parser := parsers.ParserForName(name)
	parser.Init(request.Tools, &api.Message{Role: "user", Content: "?"}, &api.ThinkValue{Value: thinks})
	return &session{parser: parser}, nil
}

func (s *session) add(text string, done bool) ([]event, error) {
	content, thinking, calls, err := s.parser.Add(text, done)
	if err != nil {
		return nil, rejected(err.Error())
	}
	var events []event
	if thinking != "" {
		events = append(events, event{"reasoning", thinking})
	}
	if content != "" {
		events = append(events, event{"text", content})
	}
	for _, call := range calls {
		arguments, err := json.Marshal(call.Function.Arguments)
		if err != nil {
			return nil, rejected(err.Error())
		}
		index := call.Function.Index
		events = append(events, event{"call", index, call.Function.Name, nil}, event{"arguments", index, string(arguments)}, event{"end", index})
		s.called = true
	}
	return events, nil
}

// finish is the reason as Ollama's OpenAI surface tells it: a call overrides `stop` only.
func (s *session) finish(end string) event {
	switch {
	case end == "length":
		return event{"finish", "length"}
	case s.called:
		return event{"finish", "tool_calls"}
	default:
		return event{"finish", "stop"}
	}
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	out := os.Stdout
	os.Stdout = os.Stderr
	serve(os.Stdin, out)
}
