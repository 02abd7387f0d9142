package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"syscall"
	"time"

	"github.com/ollama/ollama/api"
)

// The protocol, as far as a subject with streams only needs it.

type (
	event       []any
	rejected    string
	unsupported string
)

func (r rejected) Error() string    { return string(r) }
func (u unsupported) Error() string { return string(u) }

type run struct {
	Type       string          `json:"type"`
	ID         json.RawMessage `json:"id"`
	Dialect    string          `json:"dialect"`
	Text       string          `json:"text"`
	Tools      api.Tools       `json:"tools"`
	ToolChoice json.RawMessage `json:"tool_choice"`
	Parallel   bool            `json:"parallel_tool_calls"`
	Reasoning  string          `json:"reasoning"`
	End        string          `json:"end"`
	Plans      []plan          `json:"plans"`
	Events     bool            `json:"events"`
	Cuts       []int           `json:"cuts"`
	Repeat     int             `json:"repeat"`
}

type plan struct {
	Plan     string   `json:"plan"`
	Cuts     [][]*int `json:"cuts"`
	Prefixes []int    `json:"prefixes"`
	Last     bool     `json:"last_with_finish"`
	Reuse    bool     `json:"reuse"`
}

type reading struct {
	Events      []event `json:"events,omitempty"`
	At          []int   `json:"at,omitempty"`
	Rejected    string  `json:"rejected,omitempty"`
	Raised      string  `json:"raised,omitempty"`
	Unsupported string  `json:"unsupported,omitempty"`
}

// read gives one reading; a panic of the parser is a result.
func read(request *run, cuts []int, last, reuse bool) (got reading) {
	defer func() {
		if why := recover(); why != nil {
			got = reading{Raised: fmt.Sprint(why)}
		}
	}()
	s, err := open(request)
	if err == nil && reuse {
		_, _ = s.all(request, cuts, last)
	}
	if err == nil {
		got, err = s.all(request, cuts, last)
	}
	switch why := err.(type) {
	case rejected:
		return reading{Rejected: why.Error()}
	case unsupported:
		return reading{Unsupported: why.Error()}
	}
	return got
}

func (s *session) all(request *run, cuts []int, last bool) (got reading, err error) {
	start, count := 0, len(cuts)+1
	for i, cut := range append(append([]int{}, cuts...), len(request.Text)) {
		events, err := s.add(request.Text[start:cut], last && i == count-1)
		if err != nil {
			return got, err
		}
		got.take(events, i)
		start = cut
	}
	if !last {
		events, err := s.add("", true)
		if err != nil {
			return got, err
		}
		got.take(events, count)
	}
	got.take([]event{s.finish(request.End)}, count)
	return got, nil
}

func (r *reading) take(events []event, at int) {
	r.Events = append(r.Events, events...)
	for range events {
		r.At = append(r.At, at)
	}
}

// folded is what the events of a reading mean, or the reading itself if no reply has them in this order.
func folded(r reading) any {
	if r.Events == nil {
		return r
	}
	joined, calls := map[string]string{}, []string{}
	for _, step := range r.Events {
		switch step[0] {
		case "call":
			if step[1] != len(calls) {
				return r
			}
			calls = append(calls, step[2].(string)+"\x00")
		case "arguments":
			calls[step[1].(int)] += step[2].(string)
		case "end":
		default:
			joined[step[0].(string)] += step[1].(string)
		}
	}
	return []any{joined, calls}
}

func answer(request *run) map[string]any {
	if request.Type == "hello" {
		return hello
	}
	begin := spent()
	if request.Type == "measure" {
		times, got := []int64{}, reading{}
		for range request.Repeat {
			begin := spent()
			got = read(request, request.Cuts, false, false)
			times = append(times, spent()-begin)
		}
		if request.Cuts == nil {
			got = reading{Unsupported: "no entry point for finished texts"}
		}
		return map[string]any{"type": "measured", "id": request.ID, "cpu_ns": times, "whole": got}
	}
	var first *reading
	plans := []any{}
	for _, plan := range request.Plans {
		differ, count := map[string]reading{}, 0
		judge := func(got reading) {
			if first == nil {
				first = &got
			}
			if request.Events || !reflect.DeepEqual(folded(got), folded(*first)) {
				differ[strconv.Itoa(count)] = got
			}
			count++
		}
		whole := reading{Unsupported: "no entry point for finished texts"}
		for range plan.Prefixes {
			judge(whole)
		}
		for _, written := range plan.Cuts {
			cuts, null := make([]int, 0, len(written)), written == nil
			for _, cut := range written {
				cuts = append(cuts, *cut)
			}
			if null {
				judge(whole)
			} else {
				judge(read(request, cuts, plan.Last, plan.Reuse))
			}
		}
		told := map[string]any{"plan": plan.Plan, "read": count}
		if len(differ) == 0 {
			told["same"] = true
		} else {
			told["differ"] = differ
		}
		plans = append(plans, told)
	}
	return map[string]any{"type": "result", "id": request.ID, "cpu_ns": spent() - begin, "whole": first, "plans": plans}
}

// spent is this process's CPU time: Go moves work between threads.
func spent() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return time.Now().UnixNano()
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func serve(in io.Reader, out io.Writer) {
	lines, write := bufio.NewReaderSize(in, 1<<20), json.NewEncoder(out)
	write.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 || err != nil {
			return
		}
		request := run{Parallel: true, ToolChoice: json.RawMessage(`"auto"`)}
		if err := json.Unmarshal(line, &request); err != nil {
			_ = write.Encode(map[string]any{"type": "error", "id": request.ID, "message": err.Error()})
			continue
		}
		if request.Type == "stop" {
			return
		}
		_ = write.Encode(answer(&request))
	}
}
