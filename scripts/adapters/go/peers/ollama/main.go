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
	"slices"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/parsers"
	"streakstone.dev/adapters/streak"
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
	"name": "ollama", "version": "git " + commit,
	"dialects": slices.Sorted(maps.Keys(families)), "modes": []string{"stream"}, "unit": "text", "tells": []string{"reasoning", "finish"},
	"special_tokens": "whole", "delivery": "validated", "policies": map[string]string{"undeclared": "forward", "names": "exact", "truncated": "drop", "coercion": "own"},
	"cuts_stop_tokens": slices.Sorted(maps.Keys(families)),
	"cannot": []map[string]string{
		{"law": "id-valid-unique", "why": "the server mints every id; the parsers have no place for one"},
		{"law": "reusable", "why": "the server makes a parser for each request"},
	},
	"stubs": []string{"internal/orderedmap (our own, same order)", "google/uuid (unused field)"},
	"notes": "built-in parsers behind the chat handler; a reply that begins with the family's reasoning opener is read with thinking on",
}

func unsupported(why string) error { return streak.No{Kind: "unsupported", Why: why} }

func rejected(why string) error { return streak.No{Kind: "rejected", Why: why} }

// open gives one reading.
func open(request *streak.Request) (streak.Session, error) {
	if request.ToolChoice != "auto" && request.ToolChoice != "required" {
		return nil, unsupported("Ollama's API has no tool_choice")
	}
	if !request.ParallelToolCalls {
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
	var tools api.Tools
	if err := json.Unmarshal(request.Tools, &tools); err != nil {
		return nil, rejected("tools: " + err.Error())
	}
	parser := parsers.ParserForName(name)
	parser.Init(tools, &api.Message{Role: "user", Content: "?"}, &api.ThinkValue{Value: thinks})
	called := false
	return func(delta, end string) ([]streak.Event, error) {
		content, thinking, calls, err := parser.Add(delta, end != "")
		if err != nil {
			return nil, rejected(err.Error())
		}
		var events []streak.Event
		if thinking != "" {
			events = append(events, streak.Event{"reasoning", thinking})
		}
		if content != "" {
			events = append(events, streak.Event{"text", content})
		}
		for _, call := range calls {
			arguments, err := json.Marshal(call.Function.Arguments)
			if err != nil {
				return nil, rejected(err.Error())
			}
			index := call.Function.Index
			events = append(events, streak.Event{"call", index, call.Function.Name, nil}, streak.Event{"arguments", index, string(arguments)}, streak.Event{"end", index})
			called = true
		}
		switch { // As Ollama's OpenAI surface tells it: a call overrides `stop` only.
		case end == "length":
			events = append(events, streak.Event{"finish", "length"})
		case end != "" && called:
			events = append(events, streak.Event{"finish", "tool_calls"})
		case end != "":
			events = append(events, streak.Event{"finish", "stop"})
		}
		return events, nil
	}, nil
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	streak.Serve(streak.Adapter{Hello: hello, Open: open})
}
