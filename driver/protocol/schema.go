package protocol

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// object is a JSON object whose members are written in order of their names.
type object = map[string]any

// Schema is the JSON Schema of every message: a request and its answer for each
// row of the table, under the names "request.session" and "answer.session".
func Schema() ([]byte, error) {
	s := &schemas{defs: object{}}
	var requests, answers []any
	for _, r := range messages() {
		name := r.Method
		if r.Method == "reset" {
			name += "." + string(r.On)
		}
		s.defs["request."+name] = s.request(r)
		s.defs["answer."+name] = s.answer(r)
		requests = append(requests, ref("request."+name))
		answers = append(answers, ref("answer."+name))
	}
	s.defs["request"] = object{"anyOf": requests}
	s.defs["answer"] = object{"anyOf": answers}
	out := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "Messages of the driver protocol, version 1",
		"$defs":   s.defs,
		"anyOf":   []any{ref("request"), ref("answer")},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(out)
	return b.Bytes(), err
}

func ref(name string) object { return object{"$ref": "#/$defs/" + name} }

// schemas collects the definitions that messages refer to.
type schemas struct{ defs object }

func (s *schemas) request(r op.Row) object {
	all := reflect.TypeFor[op.Params]()
	params, required := object{}, []string{}
	for _, p := range r.Params {
		params[p.Name] = s.of(member(all, p.Name))
		if p.Required {
			required = append(required, p.Name)
		}
	}
	out := object{
		"type": "object", "description": r.Doc,
		"properties": object{"id": object{"type": "integer", "minimum": 1}, "method": object{"const": r.Method},
			"params": object{"type": "object", "properties": params, "required": required, "additionalProperties": false}},
		"required": []string{"id", "method"}, "additionalProperties": false,
	}
	if len(required) > 0 {
		out["required"] = []string{"id", "method", "params"}
	}
	return out
}

func (s *schemas) answer(r op.Row) object {
	all := reflect.TypeFor[op.Result]()
	result, required := object{}, []string{}
	if r.Result != "" {
		f := member(all, r.Result)
		result[r.Result] = s.of(f)
		if k := f.Type.Kind(); k == reflect.Pointer || k == reflect.Slice {
			required = append(required, r.Result)
		}
	}
	if r.MayNone {
		result["none"] = object{"type": "boolean"}
	}
	return object{
		"type": "object", "description": "what came of " + r.Method,
		"properties": object{"id": object{"type": "integer", "minimum": 1},
			"result": object{"type": "object", "properties": result, "required": required},
			"error":  s.named(reflect.TypeFor[spec.Error]()),
			"log":    object{"type": "array", "items": s.named(reflect.TypeFor[spec.Record]())}},
		"required": []string{"id"}, "oneOf": []any{object{"required": []string{"result"}}, object{"required": []string{"error"}}},
	}
}

// member is the field of a struct that has a name in JSON.
func member(t reflect.Type, name string) reflect.StructField {
	for f := range t.Fields() {
		if n, _, _ := strings.Cut(f.Tag.Get("json"), ","); n == name {
			return f
		}
	}
	panic("no member " + name)
}

// words are the types whose values are of a list.
var words = map[reflect.Type][]string{
	reflect.TypeFor[spec.Kind]():       texts(spec.Kinds()),
	reflect.TypeFor[spec.Capability](): texts(spec.Capabilities()),
	reflect.TypeFor[spec.Layer]():      texts(spec.Layers()),
	reflect.TypeFor[spec.BoundUnit]():  texts([]spec.BoundUnit{spec.Unbounded, spec.Payloads, spec.Frames}),
	reflect.TypeFor[spec.ObjectKind](): texts([]spec.ObjectKind{spec.LatentBuffer, spec.EncodeOnceKV, spec.Spy}),
}

func texts[W ~string](ws []W) (all []string) {
	for _, w := range ws {
		all = append(all, string(w))
	}
	return all
}

func (s *schemas) of(f reflect.StructField) object { return s.typed(f.Type) }

func (s *schemas) typed(t reflect.Type) object {
	if ws, ok := words[t]; ok {
		return object{"enum": ws}
	}
	switch t {
	case reflect.TypeFor[time.Duration]():
		return object{"type": "integer", "description": "nanoseconds"}
	case reflect.TypeFor[[]byte]():
		return object{"type": "string", "contentEncoding": "base64"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.typed(t.Elem())
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Slice:
		// Nothing is written as null by some languages.
		return object{"type": []string{"array", "null"}, "items": s.typed(t.Elem())}
	case reflect.Map:
		return object{"type": []string{"object", "null"}, "additionalProperties": s.typed(t.Elem())}
	case reflect.Struct:
		return s.named(t)
	}
	return object{} // any
}

// named is a reference to the definition of a struct.
func (s *schemas) named(t reflect.Type) object {
	name := t.Name()
	if _, known := s.defs[name]; !known {
		properties, required := object{}, []string{}
		s.defs[name] = nil // it may contain itself
		for f := range t.Fields() {
			tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tag == "-" || tag == "" {
				continue
			}
			properties[tag] = s.of(f)
			if options == "" {
				required = append(required, tag)
			}
		}
		s.defs[name] = object{"type": "object", "properties": properties, "required": required}
	}
	return ref(name)
}
