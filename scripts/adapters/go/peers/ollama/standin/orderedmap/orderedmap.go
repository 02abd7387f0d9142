// Package orderedmap stands in for Ollama's own wrapper of a module that only the Go module proxy has: a map that keeps the order of insertion.
package orderedmap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
)

// Map keeps the order in which its keys were first set. A nil one is empty.
type Map[K comparable, V any] struct {
	keys   []K
	values map[K]V
}

func New[K comparable, V any]() *Map[K, V] { return &Map[K, V]{values: map[K]V{}} }

func (m *Map[K, V]) Get(key K) (V, bool) {
	if m == nil {
		var none V
		return none, false
	}
	value, found := m.values[key]
	return value, found
}

func (m *Map[K, V]) Set(key K, value V) {
	if m == nil {
		return
	}
	if m.values == nil {
		m.values = map[K]V{}
	}
	if _, known := m.values[key]; !known {
		m.keys = append(m.keys, key)
	}
	m.values[key] = value
}

func (m *Map[K, V]) Len() int {
	if m == nil {
		return 0
	}
	return len(m.keys)
}

func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		if m == nil {
			return
		}
		for _, key := range slices.Clone(m.keys) {
			if !yield(key, m.values[key]) {
				return
			}
		}
	}
}

func (m *Map[K, V]) ToMap() map[K]V {
	if m == nil {
		return nil
	}
	plain := make(map[K]V, len(m.keys))
	for key, value := range m.All() {
		plain[key] = value
	}
	return plain
}

func (m *Map[K, V]) MarshalJSON() ([]byte, error) {
	if m == nil || m.values == nil {
		return []byte("null"), nil
	}
	out := []byte{'{'}
	for key, value := range m.All() {
		name, err := json.Marshal(fmt.Sprint(key))
		if err != nil {
			return nil, err
		}
		body, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), body...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads an object. Keys that are no strings are not asked for here.
func (m *Map[K, V]) UnmarshalJSON(data []byte) error {
	*m = Map[K, V]{values: map[K]V{}}
	reader := json.NewDecoder(bytes.NewReader(data))
	open, err := reader.Token()
	if err != nil || open == nil {
		return err
	}
	if open != json.Delim('{') {
		return fmt.Errorf("expected an object, found %v", open)
	}
	for reader.More() {
		name, err := reader.Token()
		if err != nil {
			return err
		}
		key, fits := name.(K)
		if !fits {
			return fmt.Errorf("key %v is of another type", name)
		}
		var value V
		if err := reader.Decode(&value); err != nil {
			return err
		}
		m.Set(key, value)
	}
	_, err = reader.Token()
	return err
}
