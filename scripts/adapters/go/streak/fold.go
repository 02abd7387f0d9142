package streak

import (
	"fmt"
	"syscall"
)

// fold gives what a reading means, as a text to compare; nil if no reply has its events in this order.
func fold(got object, order bool) any {
	events, ok := got["events"].([]Event)
	if !ok {
		return fmt.Sprintf("%q", got)
	}
	reply, over, calls, part, previous := map[string]string{}, map[string]bool{}, 0, 0, ""
	for i, event := range events {
		kind, index, text := event[0].(string), fmt.Sprint(event[1]), fmt.Sprint(event[len(event)-1])
		text = string([]rune(text)) // What is no UTF-8 leaves a server as U+FFFD, each byte of it.
		_, begun := reply["call "+index]
		switch {
		case kind == "finish" && i+1 < len(events), kind == "call" && event[1] != calls, (kind == "arguments" || kind == "end") && (over[index] || !begun):
			return nil
		case kind == "call":
			reply["call "+index], reply["arguments "+index] = fmt.Sprintf("%q", append(append(Event{}, event[2:]...), nil)[:2]), ""
			calls, part, previous = calls+1, part+1, ""
		case kind == "arguments":
			reply["arguments "+index] += text
		case kind == "end":
			reply["call "+index] += fmt.Sprint(event[2:]...)
			over[index] = true
		case kind == "finish":
			reply["finish"] = fmt.Sprintf("%q", event[1:])
		case text != "" && order:
			if kind != previous {
				part, previous = part+1, kind
			}
			reply[fmt.Sprint(part, kind)] += text
		case text != "":
			reply[kind] += text
		}
	}
	return fmt.Sprintf("%q", reply)
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
