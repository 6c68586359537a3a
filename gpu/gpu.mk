# The parts of gpu/ that are not Go: the vendor's header, the stand-in for -lcuda and
# simulated CUDA. All of it goes into the user's cache, one fixed place outside the
# checkout, or Go compiles the bindings again for every checkout.
#
#   make -f gpu/gpu.mk gpu-sim       from the root of the repository
#   eval "$(gpu/env.sh)"
#   go test -tags cuda ./gpu/...
#
# STATESPEC_CACHE moves the cache, GPU_CC names the compiler, GPU_KERNELS the kernels
# whose host twins simulated CUDA has, GPU_FLAGS adds to the compiler's flags. GPU_DRIVER
# is the CUDA driver of gpu-bench, as env.sh takes it; OUT the folder of gpu-bundle.
.PHONY: gpu-header gpu-sim gpu-clean gpu-tools gpu-always gpu-test gpu-nightly gpu-kernels gpu-bench gpu-bundle

GPU_CC ?= gcc
GPU_GO ?= go
GPU_FLAGS ?=
GPU_DRIVER ?=

gpu := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
GPU_KERNELS ?= $(wildcard $(gpu)/kernels/kernels.cu)
gpu_cache := $(if $(STATESPEC_CACHE),$(STATESPEC_CACHE),$(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/statespec)/cuda

ifneq ($(words $(gpu_cache)),1)

gpu-header gpu-sim gpu-clean gpu-tools:
	@echo "gpu/gpu.mk: the cache's path has a space, which make cannot have: $(gpu_cache): set STATESPEC_CACHE to another" >&2; exit 1

else

# Checkouts share the cache and not what is half built: times say nothing between them.
gpu_build := $(gpu_cache)/build/$(shell printf '%s' '$(abspath $(gpu)) $(GPU_KERNELS)' | cksum | cut -d ' ' -f 1)

gpu_header := $(gpu_cache)/include/cuda.h
gpu_gen := $(gpu_build)/cudagen
gpu_sources := $(wildcard $(gpu)/sim/*.c)
gpu_objects := $(patsubst $(gpu)/sim/%.c,$(gpu_build)/%.o,$(gpu_sources))
gpu_twins := $(gpu_build)/twins.o $(if $(GPU_KERNELS),$(gpu_build)/kernels.o)
gpu_compile = $(GPU_CC) -std=gnu11 -O2 -fPIC -Wall -Wextra $(GPU_FLAGS)

# What a generator wrote anew and the same is as old as it was.
gpu_changed = if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

gpu-header: ## the CUDA driver API's header, into the cache
	@$(gpu)/header.sh

gpu-sim: $(gpu_cache)/lib/libcuda.a $(gpu_cache)/lib/libcudasim.so ## the stand-in for -lcuda and simulated CUDA, into the cache

gpu-clean: ## what gpu-sim built; the header stays
	rm -rf '$(gpu_cache)/build' '$(gpu_cache)/lib'

gpu-tools:
	@for tool in $(firstword $(GPU_CC)) ar $(GPU_GO); do \
		command -v "$$tool" >/dev/null || { echo "gpu/gpu.mk: $$tool is missing: install it (Debian: apt-get install gcc binutils, and Go from go.dev)" >&2; exit 1; }; \
	done
	@mkdir -p $(gpu_build) $(gpu_cache)/lib

# Asked every time whether it is there and usable; its time stays when it is.
$(gpu_header): gpu-always
	@$(gpu)/header.sh >/dev/null

$(gpu_build)/header.i: $(gpu_header) | gpu-tools
	@$(GPU_CC) -E -P $< -o $@.new && $(gpu_changed)

$(gpu_gen): $(filter-out %_test.go,$(wildcard $(gpu)/tools/cudagen/*.go)) | gpu-tools
	@cd $(gpu) && CGO_ENABLED=0 $(GPU_GO) build -o $@ ./tools/cudagen

$(gpu_build)/jumps.inc: $(gpu_build)/header.i $(gpu_gen)
	@$(gpu_gen) jumps $< >$@.new && $(gpu_changed)

$(gpu_build)/errors.inc: $(gpu_build)/header.i $(gpu_gen)
	@$(gpu_gen) errors $< >$@.new && $(gpu_changed)

$(gpu_build)/stubs.c: $(gpu_build)/header.i $(gpu_objects) $(gpu_gen)
	@$(gpu_gen) stubs $< $(gpu_objects) >$@.new && $(gpu_changed)

$(gpu_build)/twins.c: $(GPU_KERNELS) $(gpu_gen)
	@$(gpu_gen) twins '$(GPU_KERNELS)' >$@.new && $(gpu_changed)

# Without -g: the archive has the same bytes in every checkout, and env.sh tells Go of
# its bytes.
$(gpu_build)/shim.o: $(gpu)/shim/shim.c $(gpu_build)/jumps.inc
	@echo "$(GPU_CC) $(<F)"
	@$(gpu_compile) -I$(gpu_build) -c $< -o $@

$(gpu_build)/libcuda.a: $(gpu_build)/shim.o
	@rm -f $@ && ar rcsD $@ $<

$(gpu_build)/errors.o: $(gpu_build)/errors.inc
$(gpu_objects): $(gpu_build)/%.o: $(gpu)/sim/%.c $(gpu)/sim/sim.h $(gpu_header) | gpu-tools
	@echo "$(GPU_CC) $(<F)"
	@$(gpu_compile) -g -I$(gpu_cache)/include -I$(gpu_build) -c $< -o $@

$(gpu_build)/stubs.o $(gpu_build)/twins.o: $(gpu_build)/%.o: $(gpu_build)/%.c
	@echo "$(GPU_CC) $(<F)"
	@$(gpu_compile) -c $< -o $@

# The twins' sums are rounded as the device's are: no fused multiply-add.
$(gpu_build)/kernels.o: $(GPU_KERNELS) $(wildcard $(gpu)/kernels/*.h) | gpu-tools
	@echo "$(GPU_CC) $(<F)"
	@$(gpu_compile) -g -ffp-contract=off -DCUDASIM_HOST -x c -c $< -o $@

$(gpu_build)/libcudasim.so: $(gpu_objects) $(gpu_build)/stubs.o $(gpu_twins) $(gpu)/sim/exports.map
	@echo "$(GPU_CC) -o $(@F)"
	@$(GPU_CC) -shared $(GPU_FLAGS) -Wl,-soname,libcuda.so.1 -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,noexecstack -Wl,--version-script=$(gpu)/sim/exports.map -o $@ $(filter %.o,$^) -lpthread -lm

# Whatever checkout built last is in the cache; a running program keeps what it loaded.
$(gpu_cache)/lib/%: $(gpu_build)/% gpu-always
	@cmp -s $< $@ || { cp $< $@.new && mv $@.new $@; }

endif

gpu-test: ## the suite with -tags cuda on simulated CUDA; minutes
	@$(gpu)/../ci/gpu.sh fast

gpu-nightly: ## the same in the other order of copies, under the race detector, and with each planted fault; much longer
	@$(gpu)/../ci/gpu.sh nightly

gpu-kernels: ## the kernels' PTX, from their source, by clang-14
	@$(gpu)/kernels/build.sh

gpu-bench: gpu-sim ## ring, gather, quantiser, comparison and copies on cuda:0, beside controls; GPU_DRIVER=system for a GPU
	@cd $(gpu) && settings=$$(./env.sh $(GPU_DRIVER)) && eval "$$settings" && \
		STATESPEC_REQUIRE_GPU=1 $(GPU_GO) test -count 1 -tags cuda -run '^$$' -bench . -benchmem . ./cuda

gpu-bundle: ## one archive for a machine with a GPU and nothing else, into OUT (.)
	@$(gpu)/../ci/gpu-bundle.sh
