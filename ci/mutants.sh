#!/usr/bin/env bash
# Mutation testing of reference/ with the conformance specs as the only test:
# which change of the reference does no promise notice? A thousand mutants of a few
# seconds each: it is run on demand, on a machine that does nothing else
# (specs that are late count as specs that noticed), and by nothing else.
#
#   ci/mutants.sh                     all of reference/, into ci/mutants/REPORT.md
#   ci/mutants.sh reference/dtype     one package, to standard output
#   WORKERS=4 ci/mutants.sh           so many mutants side by side
#
# Gremlins is pinned here and not in go.mod: as a tool of the module it would
# bring twenty modules into the go.sum of everyone who embeds the reference. What
# is installed by a version is checked against the same sum database.
set -euo pipefail
cd "$(dirname "$0")/.."
gremlins=github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
what=${1:-reference}
module=$(go list -m)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "mutants of $what, in $work" >&2

# A copy in which the specs are the only test: other tests of the reference would
# kill what no promise notices. Gremlins makes its own copies of this one.
copy=$work/module
mkdir "$copy" "$work/bin" "$work/tmp"
git ls-files -z --cached --others --exclude-standard |
	xargs -0 sh -c 'for f; do if [ -e "$f" ]; then printf "%s\0" "$f"; fi; done' sh |
	tar -cf - --null -T - | tar -xf - -C "$copy"
find "$copy" -name '*_test.go' ! -path "$copy/spec/families/mutants_test.go" -delete

# Gremlins asks for the tests of every package, and takes each failure for a
# kill. This go runs those of the one that has some, ends what eats memory or
# time, and tells a mutant that does not compile (to Gremlins: 2, not viable) from
# one that a spec noticed.
go_real=$(command -v go)
cat >"$work/bin/go" <<EOF
#!/usr/bin/env bash
[ "\$1" = test ] || exec $go_real "\$@"
args=("\${@/%.\/..././spec/families}")
[[ " \$* " != *" -coverprofile "* ]] || exec $go_real "\${args[@]}"
ulimit -v 16000000
out=\$(timeout -k 1 "\$MUTANT_TIME" $go_real "\${args[@]}" -vet=off -count=1 2>&1) && exit 0
grep -q '\[build failed\]\|\[setup failed\]' <<<"\$out" && exit 2
exit 1
EOF
chmod +x "$work/bin/go"

cd "$copy"
echo "the specs hold on the reference as it is:" >&2
go test -tags mutants -count=1 ./spec/families >&2
SECONDS=0
go test -tags mutants -count=1 ./spec/families >&2 # compiled by now
export MUTANT_TIME=$((60 + 10 * SECONDS))
# Not `go run`, which would put the real go first again.
GOBIN=$work/tools "$go_real" install "$gremlins"
# Gremlins halves the workers it is given where it asks every package.
PATH=$work/bin:$PATH TMPDIR=$work/tmp "$work/tools/gremlins" unleash "./$what" --integration --tags mutants \
	--coverpkg "$module/$what/..." --workers $((2 * ${WORKERS:-1})) --timeout-coefficient 20 \
	--invert-logical --invert-bitwise --invert-assignments --invert-loopctrl --remove-self-assignments \
	--output "$work/mutants.json" >&2
cd - >/dev/null
report=$work/REPORT.md
in=${what#reference}
go run ./ci/mutants -root "$copy/reference" -in "${in#/}" -explained ci/mutants/survivors.txt <"$work/mutants.json" >"$report"
if [ $# -gt 0 ]; then cat "$report"; else mv "$report" ci/mutants/REPORT.md; fi
