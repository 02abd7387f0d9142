package streak

import (
	"fmt"
	"sort"
	"syscall"
)

// fold gives what a reading means, as a text to compare: neighbours of one kind joined, plain ends left out, text and reasoning apart from the
// calls unless their order counts. It is nil if no reply has its events in this order.
func fold(got object, order bool) any {
	events, ok := got["events"].([]Event)
	if !ok {
		return fmt.Sprintf("%q", got)
	}
	sorted, ended, joined, previous := append([]Event{}, events...), map[any]bool{}, []string{}, ""
	if !order {
		rank := map[any]int{"text": 2, "reasoning": 1}
		sort.SliceStable(sorted, func(a, b int) bool { return rank[sorted[a][0]] > rank[sorted[b][0]] })
	}
	for i, event := range events {
		over, begun := ended[event[1]]
		switch kind := event[0]; {
		case kind == "finish" && i+1 < len(events), kind == "call" && event[1] != len(ended), (kind == "arguments" || kind == "end") && (over || !begun):
			return nil
		case kind == "call" || kind == "end":
			ended[event[1]] = kind == "end"
		}
	}
	for _, event := range sorted {
		head, tail := fmt.Sprintf("%q", event[:len(event)-1]), fmt.Sprint(event[len(event)-1])
		joins := event[0] == "text" || event[0] == "reasoning" || event[0] == "arguments"
		tail = string([]rune(tail)) // What is no UTF-8 leaves a server as U+FFFD, each byte of it.
		if joins && tail == "" || event[0] == "end" && len(event) == 2 {
			continue
		} else if joins && head == previous {
			joined[len(joined)-1] += tail
		} else {
			joined = append(joined, head+tail)
		}
		previous = head
	}
	return fmt.Sprintf("%q", joined)
}

func cpu() int64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
