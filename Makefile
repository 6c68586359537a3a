# The few commands that are more than one word of Go. README has a line on each.
.PHONY: run test race ginkgo ci bench detect fuzz mutants

run: ## a verdict per guarantee for the Go reference
	go run ./cmd/statespec run

test: ## every test
	go test ./...

race: ## every test under the race detector
	go test -race ./...

ginkgo: ## the specs as Ginkgo shows them
	go tool ginkgo ./...

bench: ## hit, miss, attributes, stats and the ring, each beside its control
	go test -run '^$$' -bench . -benchmem ./reference/...

detect: ## the suite against every faulty subject
	go run ./cmd/statespec detect

fuzz: ## every fuzz target, each for FUZZTIME (20000x)
	./ci/fuzz.sh

mutants: ## mutants of the reference against the specs, into ci/mutants/REPORT.md; hours
	./ci/mutants.sh

ci: ## what has to pass before a change lands
	./.ci/run
