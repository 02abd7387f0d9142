package streak

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// odd is an adapter whose parser behaves as the request's text says.
func odd(tells ...string) *Adapter {
	act := func(word string) error {
		switch word {
		case "no":
			return No{"rejected", "not hermes"}
		case "error":
			return errors.New("bad")
		case "panic":
			panic("out of luck")
		case "index":
			_ = word[len(word):][0]
		}
		return nil
	}
	return &Adapter{
		Hello: map[string]any{"name": "odd", "version": "1", "dialects": []string{"hermes"}, "tells": tells},
		Whole: func(request *Request) ([]Event, error) {
			fixed := map[string][]Event{
				"early":  {{"arguments", 0, "{}"}, {"call", 0, "f", nil}},
				"late":   {{"finish", "stop"}, {"text", ""}},
				"twice":  {{"call", 0, "f", nil}, {"end", 0}, {"arguments", 0, "{}"}},
				"around": {{"text", "around"}, {"call", 0, "f", nil}, {"end", 0}, {"finish", nil}},
			}
			if events, ok := fixed[request.Text]; ok {
				return events, nil
			}
			return []Event{{"text", request.Text}, {"finish", "stop"}}, act(request.Text)
		},
		Open: func(request *Request) (Session, error) {
			if request.Text == "closed" {
				return nil, No{"unsupported", "no stream"}
			}
			used := false
			return func(delta, end string) ([]Event, error) {
				if used {
					return nil, errors.New("used twice")
				}
				events := []Event{{"text", delta}}
				if request.Text == "around" && delta == "around"[:3] {
					events = append(events, Event{"call", 0, "f", nil})
				}
				if end != "" {
					used = request.Text == "once"
					events = append(events, Event{"finish", map[bool]any{true: nil, false: "stop"}[request.Text == "around"]})
				}
				return events, act(request.Text)
			}, nil
		},
	}
}

// ask gives the answer to a message, as it would stand on the line.
func ask(t *testing.T, adapter *Adapter, message string) (reply object) {
	t.Helper()
	var request Request
	must(0, json.Unmarshal([]byte(message), &request))
	must(0, json.Unmarshal(must(json.Marshal(answer(adapter, &request))), &reply))
	return reply
}

func run1(t *testing.T, adapter *Adapter, text, plans string) (whole object, answers []any) {
	t.Helper()
	reply := ask(t, adapter, fmt.Sprintf(`{"type": "run", "id": 7, "text": %q, "tools": null, "end": "stop", "plans": [%s]}`, text, plans))
	if reply["type"] != "result" || reply["id"] != 7.0 {
		t.Fatalf("%v", reply)
	}
	return reply["whole"].(object), reply["plans"].([]any)
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if text := string(must(json.Marshal(got))); text != want {
		t.Errorf("\ngot  %s\nwant %s", text, want)
	}
}

const whole = `{"plan": "whole", "cuts": [null, []]}`

func TestWhateverTheParserThrowsIsAResult(t *testing.T) {
	for text, want := range map[string]string{
		"no":    `{"rejected":"not hermes"}`,
		"error": `{"raised":"bad"}`,
		"panic": `{"raised":"out of luck"}`,
		"index": `{"raised":"runtime error: index out of range [0] with length 0"}`,
	} {
		got, plans := run1(t, odd(), text, whole)
		same(t, got, want)
		same(t, plans, `[{"plan":"whole","read":2,"same":true}]`)
	}
}

func TestAMissingEntryPointIsUnsupported(t *testing.T) {
	_, plans := run1(t, odd(), "closed", whole)
	same(t, plans, `[{"differ":{"1":{"unsupported":"no stream"}},"plan":"whole","read":2}]`)
	adapter := odd()
	adapter.Whole = nil
	got, _ := run1(t, adapter, "x", whole)
	same(t, got, `{"unsupported":"no such entry point"}`)
}

func TestEventsInNoPossibleOrderAreNeverTheSame(t *testing.T) {
	for _, text := range []string{"early", "late", "twice"} {
		_, plans := run1(t, odd(), text, `{"plan": "whole", "cuts": [null, null]}`)
		if differ := plans[0].(object)["differ"].(object); len(differ) != 2 {
			t.Errorf("%s: %v", text, plans)
		}
	}
}

func TestTheOrderOfPartsCountsOnlyWhereItIsTold(t *testing.T) {
	cuts := `{"plan": "x", "cuts": [null, [3]]}`
	_, plans := run1(t, odd(), "around", cuts)
	same(t, plans, `[{"plan":"x","read":2,"same":true}]`)
	_, plans = run1(t, odd("order"), "around", cuts)
	if !reflect.DeepEqual(plans[0].(object)["read"], 2.0) || plans[0].(object)["differ"] == nil {
		t.Errorf("%v", plans)
	}
}

func TestTheFinishRidesOnTheLastDelta(t *testing.T) {
	_, plans := run1(t, odd(), "rides", whole+`, {"plan": "x", "cuts": [[2], []], "last_with_finish": true}, {"plan": "y", "cuts": [[2]], "last_with_finish": false}`)
	same(t, plans[1:], `[{"plan":"x","read":2,"same":true},{"plan":"y","read":1,"same":true}]`)
	full := ask(t, odd(), `{"type": "run", "text": "rides", "end": "stop", "events": true, "plans": [{"plan": "x", "cuts": [[2]], "last_with_finish": true}]}`)
	same(t, full["whole"], `{"at":[0,1,1],"events":[["text","ri"],["text","des"],["finish","stop"]]}`)
}

func TestReuseReadsTwiceWithOneSession(t *testing.T) {
	reuse := `{"plan": "reuse", "cuts": [[2]], "reuse": true}`
	_, plans := run1(t, odd(), "once", whole+","+reuse)
	same(t, plans[1], `{"differ":{"0":{"raised":"used twice"}},"plan":"reuse","read":1}`)
	_, plans = run1(t, odd(), "often", whole+","+reuse)
	same(t, plans[1], `{"plan":"reuse","read":1,"same":true}`)
}

func TestCutsAndPrefixesAreBytesOfTheText(t *testing.T) {
	// Half a character leaves as U+FFFD, and so differs from the whole.
	_, plans := run1(t, odd(), "aé", whole+`, {"plan": "x", "cuts": [[1, 1], [2]]}, {"plan": "prefixes", "prefixes": [1, 3]}`)
	same(t, plans[1], `{"differ":{"1":{"at":[0,1,2,2],"events":[["text","a�"],["text","�"],["text",""],["finish","stop"]]}},"plan":"x","read":2}`)
	same(t, plans[2], `{"differ":{"0":{"events":[["text","a"],["finish","stop"]]}},"plan":"prefixes","read":2}`)
}

func TestMeasureTimesEachReading(t *testing.T) {
	reply := ask(t, odd(), `{"type": "measure", "id": 8, "text": "abc", "end": "stop", "cuts": [1], "repeat": 3}`)
	if reply["type"] != "measured" || len(reply["cpu_ns"].([]any)) != 3 {
		t.Errorf("%v", reply)
	}
}

func TestAFaultOfTheAdapterIsSaid(t *testing.T) {
	reply := ask(t, odd(), `{"type": "run", "id": 4, "text": "x", "plans": [{"plan": "x", "cuts": [[9]]}]}`)
	whole := reply["whole"].(object)
	if !strings.Contains(fmt.Sprint(whole["raised"]), "out of range") {
		t.Errorf("%v", reply)
	}
	if reply = ask(t, odd(), `{"type": "dance", "id": 4}`); reply["type"] != "error" || reply["id"] != 4.0 {
		t.Errorf("%v", reply)
	}
}
