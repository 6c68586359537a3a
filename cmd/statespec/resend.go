package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

// requests are the calls of a transcript, a JSON object a line; ok is false for a
// file that is none.
func requests(data []byte) (calls []op.Call, ok bool, err error) {
	for i, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if line[0] != '{' {
			return nil, false, nil
		}
		var c op.Call
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, true, fmt.Errorf("line %d is no request: %w", i+1, err)
		}
		if c.Method == "" {
			return nil, true, fmt.Errorf(`line %d is no request: it has no "method"`, i+1)
		}
		calls = append(calls, c)
	}
	return calls, len(calls) > 0, nil
}

// resend sends the calls of a transcript again, and shows what comes of each.
func resend(cmd *cobra.Command, open suite.Open, process spec.Process, calls []op.Call) error {
	s, err := open(cmd.Context(), process)
	switch {
	case err != nil && cmd.Context().Err() != nil: // it was not waited for
		return &exit{verdict.Interrupted, nil}
	case err != nil:
		return &exit{verdict.NoVerdict, fmt.Errorf("the subject could not be run: %w", err)}
	}
	defer s.Close()
	out := cmd.OutOrStdout()
	for i, c := range calls {
		if cmd.Context().Err() != nil {
			return &exit{verdict.Interrupted, nil}
		}
		r, err := s.Ask(c)
		came := ""
		switch refused, ok := errors.AsType[*spec.Error](err); {
		case ok:
			came = "error " + refused.Error()
		case err != nil:
			came = err.Error()
		default:
			text, _ := json.Marshal(r)
			came = string(text)
		}
		fmt.Fprintf(out, "%3d  %s\n       %s\n", i+1, c, report.Printable(came))
		if failed, ok := errors.AsType[*op.Failure](s.Failure()); ok && s.Failure() == err {
			fmt.Fprintf(out, "\n%s at request %d\n", failed.Fate, i+1)
			if failed.Fate == op.Garbled {
				return &exit{verdict.NoVerdict, nil}
			}
			return &exit{verdict.Failure, nil}
		}
	}
	fmt.Fprintf(out, "\n%d requests answered\n", len(calls))
	return nil
}
