# The few commands that are more than one word of Go. README has a line on each.
.PHONY: run test race ginkgo ci bench baseline compare peers detect fuzz mutants fused foreign rollouts python drivers drivers-torch

run: ## a verdict per guarantee for the Go reference
	go run ./cmd/statespec run

test: ## every test
	go test ./...

race: ## every test under the race detector
	go test -race ./...

ginkgo: ## the specs as Ginkgo shows them
	go tool ginkgo ./...

bench: ## what the project promises to be fast at, each beside its control, against the targets
	go run ./cmd/statespec bench --targets

baseline: ## ratios, allocations and bytes held anew into ci/baselines, and what changed
	./ci/baseline.sh

compare: ## what is checked out against BASE, measured in turns on this machine; minutes
	./ci/compare.sh $(BASE)

peers: ## the reference's look-ups beside other caches, in a module of their own
	cd ci/peers && go run .

detect: ## the suite against every faulty subject
	go run ./cmd/statespec detect

fuzz: ## every fuzz target, each for FUZZTIME (20000x)
	./ci/fuzz.sh

mutants: ## mutants of the reference against the specs, into ci/mutants/REPORT.md; half an hour and more
	./ci/mutants.sh

fused: ## no fused multiply-add in what must give the same bits everywhere
	./ci/fused.sh

foreign: ## the recorded rollouts on arm64 and s390x, under qemu; minutes
	./ci/foreign.sh

rollouts: ## the recorded rollouts on this machine, also as GOAMD64=v3
	go test -count 1 ./fixtures/rollout
	GOAMD64=v3 go test -count 1 ./fixtures/rollout

python: ## the readers of artefacts beside numpy and torch, where those are installed
	./ci/python.sh

drivers: ## the drivers in Python and JavaScript: their tests, the protocol, and the suite through them
	./ci/drivers.sh

drivers-torch: ## the same with torch's tensors, where torch is installed
	TENSORS=torch ./ci/drivers.sh

ci: ## what has to pass before a change lands
	./.ci/run

# What is not Go in gpu/, and what it takes to run it.
include gpu/gpu.mk
