// Package streak is the SDK for streak/1 adapters (harness/adapter/PROTOCOL.md). Go 1.19, standard library only. How to use it: ../../README.md.
package streak

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Session takes one delta. `end` is empty while more is to come; the last delta, or one more empty delta, comes with the end cause.
type Session func(delta, end string) ([]Event, error)

// Adapter is what you fill in. Hello is the answer to `hello`; a nil function is an entry point that the parser lacks.
type Adapter struct {
	Hello map[string]any
	Whole func(*Request) ([]Event, error)
	Open  func(*Request) (Session, error)
}

type object = map[string]any

// What the parser prints with `fmt` goes to standard error.
var answers = bufio.NewWriter(os.Stdout)

func init() { os.Stdout = os.Stderr }

// reading is one reading. Errors and panics are results.
func reading(adapter *Adapter, request *Request, cuts []int, plan plan) (got object) {
	defer func() {
		thrown := recover()
		if no, ok := thrown.(No); ok {
			got = object{no.Kind: no.Why}
		} else if thrown != nil {
			got = object{"raised": fmt.Sprintf("%.2000v", thrown)}
		}
	}()
	if cuts == nil && adapter.Whole == nil || cuts != nil && adapter.Open == nil {
		panic(No{"unsupported", "no such entry point"})
	} else if cuts == nil {
		return object{"events": append([]Event{}, must(adapter.Whole(request))...)}
	}
	session, ends := must(adapter.Open(request)), append(cuts[:len(cuts):len(cuts)], len(request.Text))
	if !plan.LastWithFinish {
		ends = append(ends, len(request.Text))
	}
	for again := plan.Reuse; ; again = false {
		events, at, from, end := []Event{}, []int{}, 0, ""
		for i, to := range ends {
			if i+1 == len(ends) {
				end = request.End
			}
			for _, event := range must(session(request.Text[from:to], end)) {
				events, at = append(events, event), append(at, i)
			}
			from = to
		}
		if !again {
			return object{"events": events, "at": at}
		}
	}
}

func run(adapter *Adapter, request *Request) object {
	var whole, meaning any
	plans, start, order := []object{}, cpu(), strings.Contains(fmt.Sprint(adapter.Hello["tells"]), "order")
	for _, plan := range request.Plans {
		differ, count := map[int]any{}, len(plan.Cuts)+len(plan.Prefixes)
		for i := 0; i < count; i++ {
			asked, cuts := *request, []int(nil)
			if plan.Prefixes == nil {
				cuts = plan.Cuts[i]
			} else {
				asked.Text, asked.End = request.Text[:plan.Prefixes[i]], "length"
			}
			got := reading(adapter, &asked, cuts, plan)
			folded := fold(got, order)
			if whole == nil {
				whole, meaning = got, folded
			}
			if request.Events || folded == nil || folded != meaning {
				differ[i] = got
			}
		}
		result := object{"plan": plan.Plan, "read": count, "differ": differ}
		if len(differ) == 0 {
			result = object{"plan": plan.Plan, "read": count, "same": true}
		}
		plans = append(plans, result)
	}
	return object{"type": "result", "id": request.ID, "cpu_ns": cpu() - start, "whole": whole, "plans": plans}
}

func answer(adapter *Adapter, request *Request) (reply object) {
	defer func() {
		if thrown := recover(); thrown != nil { // A fault of the adapter is said, not died of.
			reply = object{"type": "error", "id": request.ID, "message": fmt.Sprint(thrown)}
		}
	}()
	if request.Base64 != nil {
		request.Text = string(request.Base64)
	}
	switch request.Type {
	case "hello":
		adapter.Hello["type"], adapter.Hello["protocol"], adapter.Hello["clock"] = "hello", 1, "process-cpu"
		if _, said := adapter.Hello["modes"]; !said && adapter.Whole == nil {
			adapter.Hello["modes"] = []string{"stream"}
		} else if !said && adapter.Open == nil {
			adapter.Hello["modes"] = []string{"whole"}
		}
		return adapter.Hello
	case "run":
		return run(adapter, request)
	case "measure":
		spent, whole := []int64{}, object{}
		for len(spent) < request.Repeat {
			start := cpu()
			whole = reading(adapter, request, request.Cuts, plan{})
			spent = append(spent, cpu()-start)
		}
		return object{"type": "measured", "id": request.ID, "cpu_ns": spent, "whole": whole}
	}
	panic("unknown message type " + request.Type)
}

// Serve answers messages until `stop` or the end of standard input.
func Serve(adapter Adapter) {
	input := bufio.NewReader(os.Stdin)
	for line, err := input.ReadBytes('\n'); err == nil; line, err = input.ReadBytes('\n') {
		var request Request
		must(0, json.Unmarshal(line, &request))
		if request.Type == "stop" {
			return
		}
		answers.Write(append(must(json.Marshal(answer(&adapter, &request))), '\n'))
		answers.Flush()
	}
}
