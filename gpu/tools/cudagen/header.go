package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

var declaration = regexp.MustCompile(`\bCUresult\s+(cu[A-Z]\w*)\s*\(`)

// declared returns the entry points that a preprocessed header declares, each once, in
// its order.
func declared(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]bool{}
	for _, m := range declaration.FindAllStringSubmatch(string(text), -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			names = append(names, m[1])
		}
	}
	if !seen["cuInit"] {
		return nil, fmt.Errorf("%s declares no cuInit: is it cuda.h, preprocessed?", file)
	}
	return names, nil
}

var (
	errorEnum     = regexp.MustCompile(`(?s)enum\s+cudaError_enum\s*\{(.*?)\}`)
	errorConstant = regexp.MustCompile(`\bCUDA_\w+`)
)

// errorConstants returns the constants of the header's enum of errors.
func errorConstants(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	enum := errorEnum.FindStringSubmatch(string(text))
	if enum == nil {
		return nil, fmt.Errorf("%s has no enum cudaError_enum", file)
	}
	var names []string
	for constant := range strings.SplitSeq(enum[1], ",") {
		if name := errorConstant.FindString(constant); name != "" {
			names = append(names, name)
		}
	}
	if len(names) < 10 {
		return nil, fmt.Errorf("%s: %d errors in enum cudaError_enum, want dozens", file, len(names))
	}
	return names, nil
}
